package dev.understudy.aggregator.postgres.sql;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PreparedNamesTest {
    private static final int LONG = 100_000;

    @Test
    void quotedName_mayBeOfAnyLength() {
        assertThat(dropped("DEALLOCATE \"" + "a".repeat(LONG) + '"')).isEqualTo("a".repeat(LONG));
        assertThat(dropped("DEALLOCATE PREPARE \"" + "a\"\"".repeat(LONG) + '"'))
                .isEqualTo("a\"".repeat(LONG));
    }

    @Test
    void longNameWithoutAnEnd_isNone() {
        assertThat(dropped("DEALLOCATE \"" + "a".repeat(LONG))).isNull();
    }

    @Test
    void names_areReadAsTheServerReadsThem() {
        assertThat(dropped("DEALLOCATE S1")).isEqualTo("s1");
        assertThat(dropped("deallocate prepare \"S \"\"1\"")).isEqualTo("S \"1");
        assertThat(dropped("DEALLOCATE all")).isEqualTo(PreparedNames.ALL);
    }

    private static @Nullable String dropped(String sql) {
        return PreparedNames.dropped(PgStatementKind.DEALLOCATE, sql);
    }

    @Test
    void names_areReadBehindComments_andNothingElseIsOne() {
        assertThat(dropped("/* a */ DEALLOCATE/* b */PREPARE -- c\n s1;")).isEqualTo("s1");
        assertThat(dropped("DEALLOCATE prepare")).isEqualTo("prepare");
        assertThat(dropped("DEALLOCATE \"all\"")).isEqualTo("all");
        assertThat(dropped("DEALLOCATE \u00c4B")).isEqualTo("\u00c4b");
        assertThat(dropped("DEALLOCATE U&\"a\"")).isNull();
        assertThat(dropped("DEALLOCATE \"\"")).isNull();
        assertThat(dropped("DEALLOCATE")).isNull();
    }

    @Test
    void channel_mayHaveANameOfAnyLength_andBlanksBehindIt() {
        Settings settings = new Settings();
        settings.follow(PgStatementKind.LISTEN, "LISTEN \"" + "a\"\"".repeat(LONG) + '"', List.of());
        settings.follow(PgStatementKind.LISTEN, "LISTEN News" + " ".repeat(LONG) + "/* x */", List.of());
        assertThat(settings.channels()).containsExactlyInAnyOrder("a\"".repeat(LONG), "news");

        settings.follow(PgStatementKind.UNLISTEN, "UNLISTEN \"news\"", List.of());
        assertThat(settings.channels()).hasSize(1);
        settings.follow(PgStatementKind.UNLISTEN, "UNLISTEN/* all */*", List.of());
        assertThat(settings.channels()).isEmpty();
    }
}
