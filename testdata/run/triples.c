int64_t run(int64_t arg) {
	int64_t sum = 0;
	for (int64_t a = 1; a <= arg / 3; a++) {
		if (arg % 4 == 0 && a % 2 != 0)
			continue;
		for (int64_t b = a + 1; arg - a - b > b; b++)
			if (a * a + b * b == (arg - a - b) * (arg - a - b))
				sum += a;
	}
	return sum;
}
