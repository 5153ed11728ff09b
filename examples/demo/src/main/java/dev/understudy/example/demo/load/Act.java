package dev.understudy.example.demo.load;

import java.util.Random;

/** What a client does next, and how often of a hundred times. */
enum Act {
    LOOK(28),
    LIST(11),
    RECENT(4),
    ORDER(15),
    ORDER_AS_QUOTED(6),
    ORDER_DETAIL(8),
    ORDER_LIST(4),
    QUOTE(9),
    REVENUE(4),
    ATTACH(2),
    ATTACHMENT(1),
    CATALOGUE(1),
    UNKNOWN_PRODUCT(2),
    TOO_MUCH(2),
    WRONG_PASSWORD(1),
    SIGN_IN_AGAIN(2);

    private final int share;

    Act(int share) {
        this.share = share;
    }

    static Act any(Random random) {
        int point = random.nextInt(100);
        for (Act act : values()) {
            point -= act.share;
            if (point < 0) {
                return act;
            }
        }
        return LOOK;
    }
}
