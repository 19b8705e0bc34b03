#pragma once
#include <curl/curl.h>

// Swift calls no variadic functions.

static inline CURLcode curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode curl_set_text(CURL *handle, CURLoption option, const char *text) {
    return curl_easy_setopt(handle, option, text);
}

// The handle keeps a copy.
static inline CURLcode curl_set_bytes(
    CURL *handle, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return curl_easy_setopt(handle, option, &blob);
}

static inline CURLcode curl_set_headers(CURL *handle, struct curl_slist *lines) {
    return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, lines);
}

static inline CURLcode curl_set_body(CURL *handle, const void *bytes, long count) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, count);
    return code ? code : curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes);
}

// The receivers of the lines of the head and of pieces of the body, called with the context.
static inline CURLcode curl_set_receivers(
    CURL *handle, curl_write_callback head, curl_write_callback body, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, head);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
    if (!code) code = curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
    return code;
}

static inline CURLMcode curl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline long curl_status(CURL *handle) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}
