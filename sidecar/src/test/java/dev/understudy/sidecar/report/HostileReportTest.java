package dev.understudy.sidecar.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Values come from anybody: a client, a service, a database. */
final class HostileReportTest {
    private static final String[] EVIL = {
        "</code><script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "' onmouseover='alert(1)",
        "]]><x>",
        "<!--",
        "&lt;script&gt;",
        "\u0000\u0001\u001b[2J\ud800",
        "\u202eevil\u2066",
        "$(touch /tmp/pwned)`id`;';id;'"
    };
    private static final Pattern TAG = Pattern.compile("<(/?[a-z!][a-z0-9]*)([^<>]*)>", Pattern.CASE_INSENSITIVE);

    @Test
    void values_areNeverTags() throws Exception {
        for (String evil : EVIL) {
            Report report = Report.of(session(evil, 3, 2), null);
            String page = HtmlReport.of(report, List.of(evil));

            assertThat(page).as(evil).doesNotContain("<script", "<img", "<x>", "<!--", "\u0000", "\u202e", "\ud800");
            Matcher tags = TAG.matcher(page);
            while (tags.find()) {
                assertThat(tags.group(2)).as(evil).doesNotContain("onmouseover", "onerror", "href", "src=");
            }
            assertThat(page.replaceAll("(?s)<[^<>]*>", "")).as(evil).doesNotContain("<", ">script");
            DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new ByteArrayInputStream(JunitReport.of(report, List.of(FailRule.parse("different")))
                            .getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    void tagsAreBalanced_whateverTheValues() throws Exception {
        for (int seed = 1; seed <= 60; seed++) {
            Random random = new Random(seed);
            StringBuilder value = new StringBuilder();
            for (int i = random.nextInt(60); i > 0; i--) {
                value.append(
                        random.nextBoolean()
                                ? (char) random.nextInt(0x300)
                                : "<>&\"'/=- \n".charAt(random.nextInt(10)));
            }
            String page = HtmlReport.of(Report.of(session(value.toString(), 2, 1), null), List.of());
            String wellFormed = page.substring(page.indexOf("<html"));
            DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new ByteArrayInputStream(wellFormed.getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    void manyDivergences_makeAPageOfBoundedSize_thatSaysWhatIsLeftOut() throws Exception {
        Report report = Report.of(session("v".repeat(200), 200, 12), null);

        String page = HtmlReport.of(report, List.of());

        assertThat(page.length()).isBetween(100_000, 3_000_000);
        assertThat(page).contains("Left out: 100 more sorts of divergences", "77 divergences of sorts");
    }

    @Tag("process")
    @Test
    void commands_areOneWordEach_forAShell() throws Exception {
        for (String evil : new String[] {"/a'b", "/$(id)", "/`id`", "/;id", "/a\\b", "/{a,b}[1-9]", "/a&b|c>d"}) {
            Session session = session("GET " + evil, 1, 1);
            String line = Reproduction.of(
                            session.copies().get(0),
                            session.copies().get(0).causes().get(0).first())
                    .get(0);
            Process shell = new ProcessBuilder("sh", "-c", "curl() { printf '%s\\n' \"$#\" \"$6\"; }\n" + line)
                    .redirectErrorStream(true)
                    .start();
            String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(said).as(line).isEqualTo("6\nhttp://127.0.0.1:8080" + evil + "\n");
        }
        Session other = session("GET /a\nid", 1, 1);
        assertThat(Reproduction.of(
                        other.copies().get(0),
                        other.copies().get(0).causes().get(0).first()))
                .allMatch(line -> line.startsWith("#") || line.startsWith("understudy replay '"));
    }

    /** One whose every text is {@code value}. */
    static Session session(String value, int causes, int differences) throws IOException {
        ObjectMapper json = new ObjectMapper();
        String text = new TextNode(value).toString();
        String difference = "{'path':V,'type':'TYPE','production':V,'debug':'other','noise':null}";
        String example = "{'exchange':N,'connection':N,'request':V,'trace':V,'differences':["
                + String.join(",", Collections.nCopies(differences, difference)) + "]}";
        List<String> all = new ArrayList<>();
        for (int i = 1; i <= causes; i++) {
            all.add(("{'route':V,'places':[V],'count':1,'last':N,'examples':[" + example + "]}").replace("N", "" + i));
        }
        String document = "{'since':V,'until':V,'rules':[{'debug':V,'route':V,'path':V,'value':V,'fired':1}],"
                + "'epochs':[{'epoch':1,'cause':V,'fromMillis':1,'state':V,'tookMillis':1,'problem':V,"
                + "'compared':1,'different':1,'overflows':1},{'epoch':2,'cause':V,'fromMillis':1,"
                + "'state':V,'tookMillis':1,'problem':V,'compared':1,'different':1,'overflows':1}],"
                + ""
                + ""
                + "'learned':[{'debug':V,'route':V,'path':V,'kind':V,'value':V,'seen':1,'fired':1,'broken':0}],'outgoing':[{'debug':V,'SAME':1,'DIFFERENT':1,'NOT_COMPARED':0,'first':[{'exchange':1,"
                + "'production':1,'debug':1,'differences':[{'kind':V,'upstream':V,'production':V,"
                + "'debug':null}]}]}],"
                + "'copies':[{'listener':V,'address':'0.0.0.0:8080','debug':V,'debugAddress':V,"
                + "'recording':V,'fidelity':V,"
                + "'faithful':true,'notCompared':{V:1},'routes':[{'route':V,'verdicts':{'SAME':1,'DIFFERENT':"
                + causes
                + "},'productionMicros':{'10':20},'debugMicros':{'20':20},'overhead':{'measured':30,"
                + "'micros':1.5}}],'causes':["
                + String.join(",", all)
                + "],'ungrouped':77,'places':[{'route':V,'path':V,'type':V,'noise':V,'value':V,"
                + "'count':1}],'unplaced':0}]}";
        JsonNode read = json.readTree(document.replace('\'', '"').replace("V", text));
        return Session.read(read);
    }

    @Test
    void sessionOfAnotherSort_isRefused() {
        assertThat(org.assertj.core.api.Assertions.catchThrowable(
                        () -> Session.read(new ObjectMapper().valueToTree(Map.of("a", 1)))))
                .isInstanceOf(IOException.class);
    }
}
