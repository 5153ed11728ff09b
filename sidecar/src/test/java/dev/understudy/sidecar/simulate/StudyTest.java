package dev.understudy.sidecar.simulate;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

import static org.assertj.core.api.Assertions.assertThat;

final class StudyTest {
    @Test
    void table_hasTheThesissRows_withBothEstimatesBesideThem() {
        List<String> lines = new TableStudy(10, 1).lines();

        assertThat(lines).hasSize(9);
        assertThat(lines.get(1)).contains("closed form", "simulated (95 %)", "thesis");
        assertThat(lines.get(5))
                .contains("Poisson, 17 requests/s", "4096", "208", "8.0x", "16 s")
                .contains("±");
        assertThat(lines.get(5)).as("the closed form is near what was measured").matches(".* 1[4-6]\\.\\d s .*");
        assertThat(lines.get(2)).startsWith("steady, 27 requests/s").contains("1.8x");
        assertThat(lines).isEqualTo(new TableStudy(10, 1).lines());
    }

    @Test
    void sweep_lastsBelowSaturation_andOverflowsBeyond() throws Exception {
        SweepStudy sweep = new SweepStudy(200, 100, 1000, 5, 1);
        List<String> lines = sweep.lines();

        assertThat(lines).hasSize(2 + 7);
        assertThat(lines.get(2)).startsWith("   350 %").contains("∞", "years");
        assertThat(lines.get(8)).startsWith("   950 %").contains("±").doesNotContain("∞");

        Document svg = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(sweep.svg().getBytes(StandardCharsets.UTF_8)));
        assertThat(svg.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(4);
        assertThat(svg.getElementsByTagName("circle").getLength()).isGreaterThan(15);
        assertThat(sweep.svg()).doesNotContain("NaN", "Infinity");
    }

    @Test
    void plot_ofNothing_isStillADocument() throws Exception {
        String svg = new Plot("a < b", "x", "y", Seconds::words, List.of(new Plot.Series("none", List.of(), List.of())))
                .svg();

        DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
        assertThat(svg).contains("a &lt; b").doesNotContain("NaN", "Infinity");
    }

    @Test
    void times_areWrittenAsPeopleDo() {
        assertThat(Seconds.words(15.84)).isEqualTo("15.8 s");
        assertThat(Seconds.words(18_000)).isEqualTo("5.0 h");
        assertThat(Seconds.words(864_000)).isEqualTo("10.0 days");
        assertThat(Seconds.words(1e20)).isEqualTo("3.2e+12 years");
        assertThat(Seconds.words(Double.POSITIVE_INFINITY)).isEqualTo("∞");
        assertThat(Seconds.words(new Overflows(4, 2, 10, 1))).isEqualTo("10.0 s ± 1.0 s (2/4)");
    }
}
