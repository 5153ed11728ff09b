package dev.understudy.it.suites;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Reads the XML that pytest writes: a test counts by the worst of its parts. */
final class JunitReader {
    /** The properties that {@code moments.py} adds. */
    private static final String BEGUN = "begun";

    private static final String ENDED = "ended";
    private static final String OUT_OF_TIME = "Timeout (>";

    private JunitReader() {}

    static List<TestResult> read(InputStream xml) throws IOException {
        Map<String, TestResult> tests = new LinkedHashMap<>();
        NodeList cases = parse(xml).getElementsByTagName("testcase");
        for (int place = 0; place < cases.getLength(); place++) {
            TestResult result = result((Element) cases.item(place));
            tests.merge(result.name(), result, JunitReader::worse);
        }
        return List.copyOf(tests.values());
    }

    private static Element parse(InputStream xml) throws IOException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            return factory.newDocumentBuilder().parse(xml).getDocumentElement();
        } catch (ParserConfigurationException | SAXException unreadable) {
            throw new IOException("not the XML that pytest writes", unreadable);
        }
    }

    private static TestResult result(Element test) {
        String name = test.getAttribute("classname") + " " + test.getAttribute("name");
        String text = text(test, "failure") + text(test, "error");
        TestState state = TestState.PASSED;
        if (!text.isEmpty()) {
            state = text.contains(OUT_OF_TIME) ? TestState.HUNG : TestState.FAILED;
        } else if (test.getElementsByTagName("skipped").getLength() > 0) {
            state = TestState.SKIPPED;
        }
        return new TestResult(name, state, text, moment(test, BEGUN), moment(test, ENDED));
    }

    private static String text(Element test, String kind) {
        NodeList parts = test.getElementsByTagName(kind);
        StringBuilder text = new StringBuilder();
        for (int place = 0; place < parts.getLength(); place++) {
            Element part = (Element) parts.item(place);
            text.append(kind)
                    .append(": ")
                    .append(part.getAttribute("message"))
                    .append('\n')
                    .append(part.getTextContent())
                    .append('\n');
        }
        return text.toString();
    }

    private static @Nullable Instant moment(Element test, String name) {
        NodeList properties = test.getElementsByTagName("property");
        for (int place = 0; place < properties.getLength(); place++) {
            Element property = (Element) properties.item(place);
            if (property.getAttribute("name").equals(name)) {
                return Instant.ofEpochMilli((long) (Double.parseDouble(property.getAttribute("value")) * 1000));
            }
        }
        return null;
    }

    private static TestResult worse(TestResult one, TestResult other) {
        TestState state = one.state().compareTo(other.state()) > 0 ? one.state() : other.state();
        Instant begun = one.begun() == null ? other.begun() : one.begun();
        Instant ended = other.ended() == null ? one.ended() : other.ended();
        return new TestResult(one.name(), state, one.text() + other.text(), begun, ended);
    }
}
