package dev.understudy.divergence.compare.sql;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.content.TextSpan;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.mask.Masking;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class SqlComparisonTest {
    private static final Instant NOW = Instant.parse("2026-03-04T12:00:00Z");
    private static final TextSpan TIMES = new TextSpan(NOW, NOW.plusSeconds(1));
    private static final int ROOM = 1 << 20;

    private final SqlComparison comparison = new SqlComparison(ComparisonRules.defaults(), new IdentityMap(100));

    @ParameterizedTest(name = "{0} beside {1}, in order: {2}")
    @CsvSource(
            delimiter = ';',
            value = {
                "1,a 2,b ; 1,a 2,b ; true  ; SAME ; ''",
                "1,a 2,b ; 1,a 2,b ; false ; SAME ; ''",
                "1,a 2,b ; 2,b 1,a ; false ; EQUIVALENT ; rows ORDER SET_ORDER",
                "1,a 2,b ; 2,b 1,a ; true  ; DIFFERENT ; rows ORDER",
                "1,a 2,b ; 1,a 2,c ; true  ; DIFFERENT ; rows[1].name VALUE",
                "1,a 2,b ; 2,c 1,a ; false ; DIFFERENT ; rows[1].name VALUE",
                "1,a 2,b ; 1,a     ; true  ; DIFFERENT ; rows LENGTH, rows[1] MISSING",
                "1,a 2,b ; 2,b     ; true  ; DIFFERENT ; rows LENGTH, rows[0] MISSING",
                "1,a 2,b ; 2,b     ; false ; DIFFERENT ; rows LENGTH, rows[0] MISSING",
                "1,a     ; 2,b 1,a ; false ; DIFFERENT ; rows LENGTH, rows[0] EXTRA",
                "1,a 1,a ; 1,a 2,b ; false ; DIFFERENT ; rows[1].id VALUE, rows[1].name VALUE",
                "1,a 1,a ; 1,a     ; false ; DIFFERENT ; rows LENGTH, rows[1] MISSING",
                "1,~     ; 1,a     ; true  ; DIFFERENT ; rows[0].name TYPE",
                "1,~     ; 1,      ; true  ; DIFFERENT ; rows[0].name TYPE",
                "1,2026-03-04_12:00:00+00 2,b ; 2,b 1,2026-03-04_12:00:01.25+00 ; false"
                        + " ; EQUIVALENT ; rows[0].name VALUE EXCHANGE_TIME",
                "1,2026-03-04_12:00:00+00 ; 1,2026-03-05_12:00:00+00 ; true ; DIFFERENT ; rows[0].name VALUE",
            })
    void rows_areComparedInOrderOnlyWhereItMeansSomething(
            String production, String debug, boolean ordered, VerdictKind kind, String differences) {
        Verdict verdict = comparison.compare(
                result(ordered, ROOM, production.split(" ")), result(ordered, ROOM, debug.split(" ")));
        assertThat(verdict.kind()).as(verdict.toString()).isEqualTo(kind);
        assertThat(described(verdict)).isEqualTo(differences);
    }

    @Test
    void jsonInAColumn_isComparedByItsMembers() {
        Verdict verdict = comparison.compare(
                result(true, ROOM, "1,[{\"price\":10}]", "2,b"), result(true, ROOM, "1,[{\"price\":11}]", "2,b"));

        assertThat(described(verdict)).isEqualTo("rows[0].name[0].price VALUE");
    }

    @Test
    void rowsInAnyOrder_areTheSameAsTheyAreInAnyOther() {
        for (int i = 0; i < 300; i++) {
            long seed = new Random().nextLong();
            Random random = new Random(seed);
            String[] rows = Stream.generate(() -> random.nextInt(20) + "," + random.nextInt(3))
                    .limit(1 + random.nextInt(60))
                    .toArray(String[]::new);
            List<String> shuffled = new ArrayList<>(Arrays.asList(rows));
            Collections.shuffle(shuffled, random);
            Verdict moved =
                    comparison.compare(result(false, ROOM, rows), result(false, ROOM, shuffled.toArray(String[]::new)));
            assertThat(moved.kind()).as("seed %d", seed).isIn(VerdictKind.SAME, VerdictKind.EQUIVALENT);
            shuffled.set(random.nextInt(rows.length), "21,other");
            Verdict changed =
                    comparison.compare(result(false, ROOM, rows), result(false, ROOM, shuffled.toArray(String[]::new)));
            assertThat(changed.kind()).as("seed %d", seed).isEqualTo(VerdictKind.DIFFERENT);
        }
    }

    @Test
    void tooManyRows_areComparedByNumberAndHashes_andThatIsSaid() {
        String[] rows =
                Stream.iterate(0, i -> i + 1).limit(5000).map(i -> i + ",Ada").toArray(String[]::new);
        List<String> turned = new ArrayList<>(Arrays.asList(rows));
        Collections.reverse(turned);
        String[] other = turned.toArray(String[]::new);
        int little = 10_000;
        assertThat(result(true, little, rows).results().get(0).rows().heldBytes())
                .isZero();
        assertThat(comparison
                        .compare(result(true, little, rows), result(true, ROOM, rows))
                        .kind())
                .isEqualTo(VerdictKind.SAME);
        Verdict unordered = comparison.compare(result(false, little, rows), result(false, little, other));
        assertThat(unordered.kind()).isEqualTo(VerdictKind.EQUIVALENT);
        assertThat(unordered.differences().get(0).production()).startsWith("5000 rows, too many to be held");
        assertThat(comparison
                        .compare(result(true, little, rows), result(true, little, other))
                        .kind())
                .isEqualTo(VerdictKind.DIFFERENT);
        other[77] = "7,Eve";
        assertThat(comparison
                        .compare(result(false, little, rows), result(false, little, other))
                        .kind())
                .isEqualTo(VerdictKind.DIFFERENT);
    }

    @Test
    void errors_areComparedByStateAndMessage_notByWhereTheyAroseInTheServer() {
        SqlNotice error = new SqlNotice("23505", "duplicate key", "Key (id)=(7) exists.", "nbtinsert.c:671");
        assertThat(failing(error, new SqlNotice("23505", "duplicate key", "Key (id)=(7) exists.", "x.c:1")))
                .isEqualTo("EQUIVALENT error VALUE CONTENT_FORM");
        assertThat(failing(error, new SqlNotice("23503", "duplicate key", "Key (id)=(7) exists.", error.rest())))
                .isEqualTo("DIFFERENT error.state VALUE");
        assertThat(failing(error, new SqlNotice("23505", "double", "Key (id)=(8) exists.", error.rest())))
                .isEqualTo("DIFFERENT error.message VALUE, error.detail VALUE");
        SqlReplyCapture fine = new SqlReplyCapture(ROOM);
        fine.said("tag", "INSERT 0 1");
        fine.end();
        Verdict verdict = comparison.compare(reply(error), fine.finish(TIMES));
        assertThat(described(verdict)).isEqualTo("error MISSING");
        assertThat(verdict.differences().get(0).production()).isEqualTo("23505 duplicate key (Key (id)=(7) exists.)");
    }

    @Test
    void severalResults_areComparedEachForItself() {
        SqlReply production = script("SELECT 1", "UPDATE 2");
        assertThat(described(comparison.compare(production, script("SELECT 1", "UPDATE 3"))))
                .isEqualTo("result[1].tag VALUE");
        assertThat(described(comparison.compare(production, script("SELECT 1"))))
                .isEqualTo("results LENGTH");
    }

    @Test
    void columns_areComparedByNameAndType() {
        SqlReplyCapture others = new SqlReplyCapture(ROOM);
        others.columns(List.of(new SqlColumn("id", "int8"), new SqlColumn("title", "text")), false);
        others.end();
        Verdict verdict = comparison.compare(result(false, ROOM), others.finish(TIMES));
        assertThat(described(verdict)).isEqualTo("columns[0].type TYPE, columns[1].name VALUE");
    }

    @Test
    void whatAServerMakesUpForItself_isNoise_andItsSettingsArent() {
        SqlReplyCapture one = new SqlReplyCapture(ROOM);
        one.fact("parameter.TimeZone", "UTC");
        one.own("backend", "1");
        one.end();
        SqlReplyCapture two = new SqlReplyCapture(ROOM);
        two.fact("parameter.TimeZone", "Europe/Berlin");
        two.own("backend", "2");
        two.end();
        assertThat(described(comparison.compare(one.finish(TIMES), two.finish(TIMES))))
                .isEqualTo("parameter.TimeZone VALUE, backend VALUE IDENTITY");
    }

    @Test
    void replyWithoutItsEnd_orWithTooMuchBesideItsRows_isntCompared() {
        SqlReplyCapture cut = new SqlReplyCapture(ROOM);
        cut.said("tag", "SELECT 1");
        assertThat(comparison.compare(cut.finish(TIMES), script("SELECT 1")).reason())
                .isEqualTo(NotCompared.INCOMPLETE);
        SqlReplyCapture large = new SqlReplyCapture(1000);
        for (int i = 0; i < 10_000; i++) {
            large.said("tag", "SELECT 1");
            large.endResult();
        }
        assertThat(large.heldBytes()).isLessThan(1000);
        large.end();
        SqlReply tooLarge = large.finish(TIMES);
        assertThat(comparison.compare(tooLarge, tooLarge).reason()).isEqualTo(NotCompared.TOO_LARGE);
    }

    @Test
    void secretColumns_areMasked_alsoWhereAWholeRowIsShown() {
        SqlReply none = columns("id", "password").finish(TIMES);
        SqlReplyCapture some = columns("id", "password");
        add(some, "7,hunter2_and_more");
        some.end();
        Masking masking = new Masking(Set.of());
        Verdict whole = masking.mask(comparison.compare(some.finish(TIMES), ended(none)));
        assertThat(whole.toString())
                .contains("id=\"7\"")
                .doesNotContain("hunter2")
                .doesNotContain("more");
    }

    private static SqlReply ended(SqlReply reply) {
        return new SqlReply(reply.results(), reply.facts(), reply.own(), true, false, reply.span());
    }

    private static SqlReplyCapture columns(String... names) {
        SqlReplyCapture capture = new SqlReplyCapture(ROOM);
        capture.columns(
                Stream.of(names).map(name -> new SqlColumn(name, "text")).toList(), false);
        return capture;
    }

    private String failing(SqlNotice production, SqlNotice debug) {
        Verdict verdict = comparison.compare(reply(production), reply(debug));
        return verdict.kind() + " " + described(verdict);
    }

    private static SqlReply reply(SqlNotice error) {
        SqlReplyCapture capture = new SqlReplyCapture(ROOM);
        capture.error(error);
        capture.end();
        return capture.finish(TIMES);
    }

    private static SqlReply script(String... tags) {
        SqlReplyCapture capture = new SqlReplyCapture(ROOM);
        for (String tag : tags) {
            capture.said("tag", tag);
            capture.endResult();
        }
        capture.end();
        return capture.finish(TIMES);
    }

    private static SqlReply result(boolean ordered, int most, String... rows) {
        SqlReplyCapture capture = new SqlReplyCapture(most);
        capture.columns(List.of(new SqlColumn("id", "int4"), new SqlColumn("name", "text")), ordered);
        Stream.of(rows).filter(row -> !row.isEmpty()).forEach(row -> add(capture, row));
        capture.end();
        return capture.finish(TIMES);
    }

    private static void add(SqlReplyCapture capture, String row) {
        capture.row(
                row.getBytes(StandardCharsets.UTF_8),
                bytes -> Stream.of(new String(bytes, StandardCharsets.UTF_8).split(",", -1))
                        .map(value -> value.equals("~") ? null : value.replace('_', ' '))
                        .toList());
    }

    private static String described(Verdict verdict) {
        return String.join(
                ", ",
                verdict.differences().stream().map(SqlComparisonTest::described).toList());
    }

    private static String described(Difference difference) {
        Noise noise = difference.noise();
        return difference.path() + " " + difference.type() + (noise == null ? "" : " " + noise);
    }
}
