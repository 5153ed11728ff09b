package dev.understudy.divergence.content;

import java.io.StringReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads an XML text that holds data: elements that have either children or text.
 *
 * <p>Nothing outside the text is ever looked up. What a document type could change the meaning of, what is deeper than
 * {@value #MAX_DEPTH} elements, text between elements (as in a page), blanks that are to be preserved there, and
 * instructions outside the root aren't read.
 */
public final class XmlText {
    /** Deeper texts aren't read. */
    public static final int MAX_DEPTH = 100;

    private static final String XML = "{" + XMLConstants.XML_NS_URI + "}";

    private static final Pattern ENCODING =
            Pattern.compile("<\\?xml[^>]*\\sencoding\\s*=\\s*[\"']([A-Za-z][A-Za-z0-9._-]*)[\"']");

    private final Deque<Open> open = new ArrayDeque<>();
    private @Nullable XmlElement root;

    private XmlText() {}

    private static XMLInputFactory factory() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        factory.setXMLReporter((message, type, information, location) -> {});
        return factory;
    }

    /**
     * The root element, or null if this isn't one well-formed text of that kind.
     *
     * @param charset as named outside the text; null to go by what the text says
     */
    public static @Nullable XmlElement parse(byte[] text, @Nullable String charset) {
        try {
            // decoded here: the JDK's reader prints to standard error where bytes are none of that charset
            String decoded = JsonText.decode(text, Charset.forName(charset == null ? charsetOf(text) : charset));
            if (decoded == null) {
                return null;
            }
            String bare = decoded.startsWith("\uFEFF") ? decoded.substring(1) : decoded;
            return new XmlText().read(factory().createXMLStreamReader(new StringReader(bare)));
        } catch (XMLStreamException | RuntimeException unreadable) { // the JDK's reader throws both
            return null;
        }
    }

    /** By what the text begins with; XML 1.0, appendix F. */
    private static String charsetOf(byte[] text) {
        boolean wide = text.length > 1 && (text[0] == 0 || text[1] == 0 || (text[0] & text[1] & 0xfe) == 0xfe);
        String begin = new String(text, 0, Math.min(text.length, 200), StandardCharsets.ISO_8859_1);
        Matcher declared = ENCODING.matcher(begin);
        return wide ? "UTF-16" : declared.lookingAt() ? declared.group(1) : "UTF-8";
    }

    private @Nullable XmlElement read(XMLStreamReader reader) throws XMLStreamException {
        while (reader.hasNext()) {
            boolean understood = switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> begin(reader);
                case XMLStreamConstants.END_ELEMENT -> end();
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
                    text(reader.getText());
                case XMLStreamConstants.PROCESSING_INSTRUCTION -> instruction(reader);
                case XMLStreamConstants.COMMENT, XMLStreamConstants.END_DOCUMENT -> true;
                default -> false; // a document type, or an entity that one would explain
            };
            if (!understood) {
                return null;
            }
        }
        return root;
    }

    private boolean begin(XMLStreamReader reader) {
        Map<String, String> attributes = new TreeMap<>();
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            String namespace = reader.getAttributeNamespace(i);
            String name = reader.getAttributeLocalName(i);
            attributes.put(
                    namespace == null || namespace.isEmpty() ? name : "{" + namespace + "}" + name,
                    reader.getAttributeValue(i));
        }
        String namespace = reader.getNamespaceURI();
        open.push(new Open(namespace == null ? "" : namespace, reader.getLocalName(), attributes));
        return open.size() <= MAX_DEPTH && !"preserve".equals(attributes.get(XML + "space"));
    }

    private boolean end() {
        Open ended = open.pop();
        boolean blank = ended.text.toString().isBlank();
        if (!ended.children.isEmpty() && !blank) {
            return false;
        }
        String text = ended.children.isEmpty() ? ended.text.toString() : "";
        XmlElement element = new XmlElement(ended.namespace, ended.name, ended.attributes, ended.children, text);
        Open parent = open.peek();
        if (parent == null) {
            root = element;
        } else {
            parent.children.add(element);
        }
        return true;
    }

    private boolean text(String text) {
        Open within = open.peek();
        if (within != null) {
            within.text.append(text);
        }
        return true;
    }

    private boolean instruction(XMLStreamReader reader) {
        Open within = open.peek();
        if (within == null) {
            return false;
        }
        String data = reader.getPIData() == null ? "" : reader.getPIData();
        String name = XmlElement.INSTRUCTION + reader.getPITarget();
        within.children.add(new XmlElement("", name, Map.of(), List.of(), data));
        return true;
    }

    private static final class Open {
        private final String namespace;
        private final String name;
        private final Map<String, String> attributes;
        private final List<XmlElement> children = new ArrayList<>();
        private final StringBuilder text = new StringBuilder();

        Open(String namespace, String name, Map<String, String> attributes) {
            this.namespace = namespace;
            this.name = name;
            this.attributes = attributes;
        }
    }
}
