package dev.understudy.standin.print;

import dev.understudy.standin.graph.ServiceCall;
import dev.understudy.standin.graph.ServiceGraph;
import dev.understudy.standin.graph.ServiceNode;
import dev.understudy.standin.graph.ServiceRoute;
import dev.understudy.standin.trace.NodeKind;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

import static org.assertj.core.api.Assertions.assertThat;

final class GraphPictureTest {
    private static ServiceNode node(String name, String... called) {
        List<ServiceCall> calls = new ArrayList<>();
        for (String each : called) {
            calls.add(new ServiceCall(each, NodeKind.SERVICE, "GET /", 5, 7, 0.5, 1.4, 1, 1, 3));
        }
        return new ServiceNode(name, NodeKind.SERVICE, List.of(new ServiceRoute("GET /", 10, 5, 1, calls)));
    }

    private static Document drawn(ServiceNode... nodes) throws Exception {
        String svg = GraphPicture.svg(new ServiceGraph(1, 1, List.of(nodes), List.of()));
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    private static List<Element> elements(Document document, String tag, String kind) {
        List<Element> found = new ArrayList<>();
        NodeList all = document.getElementsByTagName(tag);
        for (int i = 0; i < all.getLength(); i++) {
            Element element = (Element) all.item(i);
            if (element.getAttribute("class").startsWith(kind)) {
                found.add(element);
            }
        }
        return found;
    }

    private static double left(Document document, int box) {
        return Double.parseDouble(elements(document, "rect", "box").get(box).getAttribute("x"));
    }

    @Test
    void callers_areLeftOfWhomTheyCall() throws Exception {
        Document picture = drawn(node("a", "b", "c"), node("b", "c"), node("c"));

        assertThat(left(picture, 0)).isLessThan(left(picture, 1));
        assertThat(left(picture, 1)).isLessThan(left(picture, 2));
        assertThat(elements(picture, "path", "arrow")).hasSize(3);
        assertThat(elements(picture, "path", "arrow back")).isEmpty();
        assertThat(elements(picture, "text", "count"))
                .extracting(Element::getTextContent)
                .containsOnly("0.70");
    }

    @Test
    void ring_isDrawnWithOneArrowBack() throws Exception {
        Document picture = drawn(node("a", "b"), node("b", "c"), node("c", "a", "c"));

        assertThat(elements(picture, "path", "arrow")).hasSize(4);
        assertThat(elements(picture, "path", "arrow back")).hasSize(2);
    }

    @Test
    void names_stayText() throws Exception {
        String hostile = "<script>alert(\"1\")</script>&\u0000\u202e]]>";
        Document picture = drawn(node("a", hostile), node(hostile));

        assertThat(picture.getElementsByTagName("script").getLength()).isZero();
        assertThat(elements(picture, "text", "name").get(1).getTextContent())
                .startsWith("<script>alert(\"1\")</script>");
    }

    @Test
    void boxes_lieOverNoOther_inAnyGraph() throws Exception {
        Random random = new Random(5);
        for (int round = 0; round < 50; round++) {
            int count = 1 + random.nextInt(15);
            ServiceNode[] nodes = new ServiceNode[count];
            for (int i = 0; i < count; i++) {
                nodes[i] = node(
                        "n" + i,
                        random.ints(random.nextInt(4), 0, count)
                                .distinct()
                                .mapToObj(other -> "n" + other)
                                .toArray(String[]::new));
            }
            Document picture = drawn(nodes);

            assertThat(elements(picture, "rect", "box").stream()
                            .map(box -> box.getAttribute("x") + ' ' + box.getAttribute("y"))
                            .distinct())
                    .hasSize(count);
        }
    }

    @Test
    void moreArrowsThanAnyoneFollows_areLeftOutAndNamed() throws Exception {
        ServiceNode[] nodes = new ServiceNode[46];
        String[] all = IntStream.range(0, nodes.length).mapToObj(i -> "n" + i).toArray(String[]::new);
        Arrays.setAll(nodes, i -> node(all[i], all));
        Document picture = drawn(nodes);

        assertThat(elements(picture, "path", "arrow")).hasSize(2_000);
        assertThat(picture.getDocumentElement().getTextContent())
                .contains("116 arrows with the fewest calls aren't drawn");
    }

    @Test
    void emptyGraph_isAPicture() throws Exception {
        assertThat(drawn().getDocumentElement().getTagName()).isEqualTo("svg");
    }
}
