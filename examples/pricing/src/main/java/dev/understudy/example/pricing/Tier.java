package dev.understudy.example.pricing;

/** The discount in percent from a quantity on. */
enum Tier {
    SINGLE(1, 0),
    DOZEN(10, 5),
    CRATE(25, 8),
    PALLET(100, 15);

    private final int quantity;
    private final int percent;

    Tier(int quantity, int percent) {
        this.quantity = quantity;
        this.percent = percent;
    }

    static Tier of(int quantity) {
        Tier found = SINGLE;
        for (Tier tier : values()) {
            if (quantity >= tier.quantity) {
                found = tier;
            }
        }
        return found;
    }

    int percent() {
        return percent;
    }
}
