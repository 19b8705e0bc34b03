import '../card/phone.js';
// 🐼
