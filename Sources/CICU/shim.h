#include <stdbool.h>
#include <stdint.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uspoof.h>

/* ICU's functions have its version in their names, by macros that Swift does not see, so Swift calls
   these. Texts are in UTF-16. What makes a text writes as much of it as there is room for, and returns
   its whole length, or a negative number for an error. */

static inline bool CICU_is_recommended_emoji(const uint16_t *text, int32_t length)
{
    return u_stringHasBinaryProperty((const UChar *)text, length, UCHAR_RGI_EMOJI);
}

/* Whether a letter or number runs from right to left, or is ordered as one that does. */
static inline bool CICU_is_right_to_left(uint32_t scalar)
{
    switch (u_charDirection((UChar32)scalar)) {
    case U_RIGHT_TO_LEFT:
    case U_RIGHT_TO_LEFT_ARABIC:
    case U_ARABIC_NUMBER:
        return true;
    default:
        return false;
    }
}

static inline int32_t CICU_length(int32_t length, UErrorCode error)
{
    return U_SUCCESS(error) || error == U_BUFFER_OVERFLOW_ERROR ? length : -1;
}

/* Normalization form C. */
static inline int32_t CICU_composed(
    const uint16_t *text, int32_t length, uint16_t *made, int32_t room)
{
    UErrorCode error = U_ZERO_ERROR;
    const UNormalizer2 *form = unorm2_getNFCInstance(&error);
    int32_t needed = unorm2_normalize(
        form, (const UChar *)text, length, (UChar *)made, room, &error);
    return CICU_length(needed, error);
}

/* Normalization form KC. */
static inline int32_t CICU_compatible(
    const uint16_t *text, int32_t length, uint16_t *made, int32_t room)
{
    UErrorCode error = U_ZERO_ERROR;
    const UNormalizer2 *form = unorm2_getNFKCInstance(&error);
    int32_t needed = unorm2_normalize(
        form, (const UChar *)text, length, (UChar *)made, room, &error);
    return CICU_length(needed, error);
}

/* The skeleton (UTS 39). A checker is opened once a process: its constant functions may be called by
   many threads at a time. */
static inline int32_t CICU_skeleton(
    const uint16_t *text, int32_t length, uint16_t *made, int32_t room)
{
    static USpoofChecker *shared;
    UErrorCode error = U_ZERO_ERROR;
    USpoofChecker *checker = __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
    if (!checker) {
        USpoofChecker *opened = uspoof_open(&error);
        if (U_FAILURE(error)) return -1;
        if (__atomic_compare_exchange_n(
                &shared, &checker, opened, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            checker = opened;
        } else {
            uspoof_close(opened);
        }
    }
    int32_t needed = uspoof_getSkeleton(
        checker, 0, (const UChar *)text, length, (UChar *)made, room, &error);
    return CICU_length(needed, error);
}
