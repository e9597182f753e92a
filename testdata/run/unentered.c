int64_t run(int64_t arg) { return arg != 0 ? 7 : 5; }
