static int64_t quotient(int64_t a, int64_t b) {
	if (b == 0 || (a == INT64_MIN && b == -1))
		return b == 0 ? 0 : INT64_MIN;
	return a / b;
}
int64_t run(int64_t arg) {
	uint64_t sum = INT64_MIN / 3;
	int64_t d = arg;
	for (int i = 0; i < 4; i++) {
		sum = sum * 31 + (uint64_t)quotient(INT64_MIN, d) + (uint64_t)quotient(1000003, d) - (uint64_t)(d / 7);
		d = i == 2 ? -1 : d / 2;
	}
	return sum + (uint64_t)quotient(17, (int64_t)((uint64_t)arg + 1));
}
