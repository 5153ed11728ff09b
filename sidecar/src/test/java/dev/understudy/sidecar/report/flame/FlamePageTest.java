package dev.understudy.sidecar.report.flame;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class FlamePageTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String[] EVIL = {
        "</style><script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "' onmouseover='alert(1)",
        "a;b 7\nc;d 8",
        "\u0000\u001b[2J\ud800\u202e"
    };

    @Test
    void collapsed_isALineForEachStack_belowItsRoute() throws Exception {
        Profile profile = profile("GET /orders/{n}", List.of("run", "serve", "price", "wait"), new int[] {
            -1, 0, 0, 0, 1, 1, 1, 2, 5, 1, 3, 2
        });

        assertThat(Collapsed.lines(profile.routes().get(0)))
                .containsExactly(
                        "shop: GET /orders/{n};run;serve 1",
                        "shop: GET /orders/{n};run;serve;price 5",
                        "shop: GET /orders/{n};run;serve;wait 2");
    }

    @Test
    void page_hasABoxForEachMethod_asWideAsItsShare_andHowLongBothSidesTake() throws Exception {
        Profile profile = profile(
                "GET /orders/{n}",
                List.of("java.lang.Thread.run", "shop.Api.serve", "shop.Prices.price", "shop.Api.wait"),
                new int[] {-1, 0, 0, 0, 1, 1, 1, 2, 5, 1, 3, 2});

        String page = FlamePage.of(profile);

        assertThat(page)
                .contains(
                        "<h2>GET /orders/{n} (shop, debug)</h2>",
                        "8 stacks; debug median 4.00 ms, p99 8.00 ms; production median 2.00 "
                                + "ms, p99 3.00 ms; debug&#39;s median is" + " 2.00 times production&#39;s",
                        "style=\"left:0.000%;width:62.500%;top:36px\" "
                                + "title=\"shop.Prices.price: 5 of 8 stacks (62.5 %)\">Prices.price<",
                        "left:62.500%;width:25.000%;top:36px",
                        "<td class=\"n\">62.5 %</td>",
                        "default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;")
                .doesNotContain("<script", "http://", "https://");
    }

    @Test
    void names_areNeverTagsNorFramesNorLines() throws Exception {
        for (String evil : EVIL) {
            Profile profile = profile(evil, List.of(evil, "ok"), new int[] {-1, 0, 3, 0, 1, 4});
            String page = FlamePage.of(profile);

            assertThat(page).as(evil).doesNotContain("<script", "<img", "\u0000", "\u202e", "\ud800");
            DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new ByteArrayInputStream(
                            page.substring(page.indexOf("<html")).getBytes(StandardCharsets.UTF_8)));
            for (String line : Collapsed.lines(profile.routes().get(0))) {
                assertThat(line).as(evil).matches("[^;\\p{Cntrl}]+;[^;\\p{Cntrl}]+(;ok)? [34]");
            }
            assertThat(profile.routes().get(0).name()).doesNotContain("\u001b", "\n");
        }
    }

    @Test
    void aLargeProfile_makesAPageOfBoundedSize_thatSaysWhatIsLeftOut() throws Exception {
        Random random = new Random(5);
        List<String> names = new ArrayList<>();
        int[] nodes = new int[3 * 60_000];
        for (int i = 0; i < 60_000; i++) {
            if (i < 3000) {
                names.add("shop.deep.package.Class" + i + ".method");
            }
            nodes[3 * i] = i < 300 ? i - 1 : random.nextInt(i);
            nodes[3 * i + 1] = random.nextInt(3000);
            nodes[3 * i + 2] = random.nextInt(3);
        }
        String page = FlamePage.of(profile("GET /", names, nodes));

        assertThat(page.length()).isLessThan(2_000_000);
        assertThat(page).contains("methods are too narrow to be shown");
    }

    @Test
    void whatIsNoProfile_isRefused() {
        assertThatThrownBy(() -> Profile.read(JSON.readTree("{}"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> profile("GET /", List.of("a"), new int[] {0, 0, 1}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("before its parent");
        assertThatThrownBy(() ->
                        Profile.read(JSON.readTree("{\"names\":[],\"routes\":[{\"productionMicros\":{\"x\":1}}]}")))
                .isInstanceOf(IOException.class);
    }

    private static Profile profile(String route, List<String> names, int[] nodes) throws IOException {
        long samples = 0;
        for (int i = 2; i < nodes.length; i += 3) {
            samples += nodes[i];
        }
        return Profile.read(JSON.valueToTree(Map.of(
                "waiting",
                0,
                "names",
                names,
                "routes",
                List.of(Map.of(
                        "listener",
                        "shop",
                        "debug",
                        "debug",
                        "route",
                        route,
                        "samples",
                        samples,
                        "left",
                        0,
                        "productionMicros",
                        Map.of("2000", 9, "3000", 3),
                        "debugMicros",
                        Map.of("4000", 9, "8000", 3),
                        "nodes",
                        nodes)))));
    }
}
