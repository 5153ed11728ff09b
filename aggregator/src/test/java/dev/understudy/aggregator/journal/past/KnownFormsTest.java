package dev.understudy.aggregator.journal.past;

import dev.understudy.aggregator.exchange.Eviction;
import dev.understudy.aggregator.exchange.Form;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class KnownFormsTest {
    private static final String UNKNOWN = "production has not sent this request lately";

    private final KnownForms known = new KnownForms();

    @Test
    void formsOfAFamily_areRememberedUpToABound_theLatestOfThem() {
        for (int i = 0; i < 33; i++) {
            known.recorded(form("GET", i));
        }
        assertThat(known.why(form("GET", 0), Absence.of(false, true, 0))).isEqualTo(UNKNOWN);
        assertThat(known.why(form("GET", 1), Absence.of(false, true, 0))).contains("lately (1)");
        known.evicted(form("GET", 1), Eviction.AGE);
        known.recorded(form("GET", 33));
        assertThat(known.why(form("GET", 1), Absence.of(false, true, 0)))
                .as("heard of in between")
                .contains("1 evicted unused {AGE=1}");
        assertThat(known.why(form("GET", 2), Absence.of(false, true, 0))).isEqualTo(UNKNOWN);
    }

    @Test
    void absence_isTrue_andNamesTheRemedy() {
        known.seen(form("GET", 1));

        assertThat(known.why(form("GET", 1), Absence.of(false, true, 0))).contains("its reply wasn't recorded");
        assertThat(Absence.of(false, true, 5_000_000_000L).text())
                .isEqualTo(UNKNOWN + "; debug waited 5.0 s: if production is later than debug, raise `wait`");
        assertThat(Absence.of(false, false, 5_000_000_000L).text())
                .as("calls under way aren't followed")
                .isEqualTo(UNKNOWN + ", or its reply isn't complete; debug waited 5.0 s: if production is late or takes"
                        + " long, raise `wait`");
        assertThat(Absence.of(true, true, 0).text()).contains("under way", "`wait`");
    }

    @Test
    void families_areRememberedUpToABound_theLatestOfThem() {
        for (int i = 0; i < 129; i++) {
            known.recorded(form("family " + i, 0));
        }
        assertThat(known.nearest(form("family 0", 1))).isEmpty();
        assertThat(known.nearest(form("family 1", 1)))
                .extracting(NearForm::text)
                .containsExactly("family 1 0");
    }

    @Test
    void namesOfFamilies_areShared_andDontAddUp() {
        Form first = known.shared(form("family 0", 0));
        assertThat(known.shared(form("family 0", 1)).family()).isSameAs(first.family());
        for (int i = 1; i < 129; i++) {
            known.shared(form("family " + i, 0));
        }
        assertThat(known.shared(form("family 0", 2)).family())
                .isEqualTo(first.family())
                .isNotSameAs(first.family());
    }

    /** Its family is a text of its own. */
    private static Form form(String family, int number) {
        return Form.of(family + "s", family + " " + number);
    }
}
