int64_t run(int64_t arg) {
	char text[32];
	int n = sprintf(text, "%" PRId64, arg), first = text[0] == '-';
	int64_t back = 0, sum = 0, sign = first ? -1 : 1;
	for (int i = n - 1; i >= first; i--) {
		back = (int64_t)((uint64_t)back * 10 + (uint64_t)(sign * (text[i] - '0')));
		sum += sign * (text[i] - '0');
	}
	return back == arg ? sum : back;
}
