int64_t run(int64_t arg) {
	uint64_t v[19] = {arg}, sum = 0;
	static const uint64_t mul[] = {3, 7, 2, 5, 11};
	v[1] = v[0] + 1, v[2] = v[1] * mul[0], v[3] = v[2] - v[0], v[4] = v[3] * v[3], v[5] = v[4] + 5;
	for (int i = 6; i < 19; i++)
		switch (i % 3) {
		case 0: v[i] = v[i - 1] - v[i - 5]; break;
		case 1: v[i] = v[i - 1] * mul[1 + (i - 7) / 3]; break;
		case 2: v[i] = v[i - 1] + v[i - 6]; break;
		}
	for (uint64_t t = 0; t < 50; t++) {
		uint64_t first = v[0];
		for (int i = 0; i < 18; i++) {
			v[i] = v[i + 1];
			if (i == 0)
				v[i] += t;
			else if (i % 4 == 2)
				v[i] -= v[i / 2 - 1];
			else if (i % 4 == 0)
				v[i] += v[i / 2 - 1];
		}
		v[18] = first - v[8];
	}
	for (int i = 0; i < 19; i++)
		sum += (uint64_t)(i + 1) * v[i];
	return sum;
}
