package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.label.ExchangeOutcome;
import dev.understudy.sidecar.label.Place;
import dev.understudy.sidecar.label.ReplyCondition;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The end of an exchange that a test varies: without more said, {@code GET /} took a millisecond, and both replies are
 * 200.
 */
final class TestEnding {
    private String span = "";
    private Place place = Place.UNKNOWN;
    private long exchange = 1;
    private String listener = "orders";
    private long connection = 1;
    private String request = "GET /";
    private String opening = "";
    private boolean different;
    private int status = 200;
    private int productionStatus = 200;
    private String said = "";
    private @Nullable Double millis = 1.0;
    private boolean late;
    private Set<ReplyCondition> shows = Set.of();
    private int labels;

    private TestEnding() {}

    static TestEnding of() {
        return new TestEnding();
    }

    /** One that is known by its debug span. */
    static TestEnding of(String span) {
        TestEnding ending = new TestEnding();
        ending.span = span;
        return ending;
    }

    /** One of a protocol without statuses, whose reply in the debug JVM begins so. */
    static TestEnding saying(String said) {
        TestEnding ending = new TestEnding().status(0);
        ending.said = said;
        return ending;
    }

    TestEnding at(Place place, long connection) {
        this.place = place;
        this.connection = connection;
        return this;
    }

    TestEnding number(long exchange) {
        this.exchange = exchange;
        return this;
    }

    TestEnding listener(String listener) {
        this.listener = listener;
        return this;
    }

    TestEnding request(String request) {
        this.request = request;
        return this;
    }

    TestEnding opening(String opening) {
        this.opening = opening;
        return this;
    }

    TestEnding different(boolean different) {
        this.different = different;
        return this;
    }

    /** That of both replies. */
    TestEnding status(int both) {
        return statuses(both, both);
    }

    TestEnding statuses(int debug, int production) {
        this.status = debug;
        this.productionStatus = production;
        return this;
    }

    /** It ended while that edition of the rules held. */
    TestEnding under(int edition) {
        this.labels = edition;
        return this;
    }

    TestEnding shows(String condition) {
        this.shows = Set.of(ReplyCondition.of(condition));
        return this;
    }

    /** A status 200 with gRPC's code. */
    TestEnding code(String said) {
        this.said = said;
        return this;
    }

    /** Debug's time; null if its reply never came. */
    TestEnding took(@Nullable Double millis) {
        this.millis = millis;
        return this;
    }

    /** Nothing has come of it for so long that it is slow. */
    TestEnding late() {
        this.late = true;
        return status(0).took(null);
    }

    ExchangeOutcome end() {
        return new ExchangeOutcome(
                span,
                place,
                exchange,
                listener,
                connection,
                request,
                opening,
                different,
                status,
                productionStatus,
                said,
                millis,
                late,
                shows,
                "",
                labels);
    }
}
