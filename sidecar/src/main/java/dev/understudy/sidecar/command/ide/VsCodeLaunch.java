package dev.understudy.sidecar.command.ide;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A launch configuration of VS Code, put into a file that may have others.
 *
 * <p>All that stands there stays as it is written, with its comments: the new text goes to one place of the old.
 */
final class VsCodeLaunch {
    private static final long LARGEST = 1 << 20;
    private static final int DEEPEST = 64;

    /** VS Code takes comments and commas that end a list. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
            .build();

    private VsCodeLaunch() {}

    /** Where it belongs within a project. */
    static Path file(Path project) {
        return project.resolve(".vscode").resolve("launch.json");
    }

    static String text(DebuggerAddress address) {
        return """
                {
                    "version": "0.2.0",
                    "configurations": [
                %s
                    ]
                }
                """.formatted(entry(address));
    }

    private static String entry(DebuggerAddress address) {
        // the name and the host have no character that JSON would read
        return """
                        {
                            "type": "java",
                            "name": "%s",
                            "request": "attach",
                            "hostName": "%s",
                            "port": %d
                        }""".formatted(address.name(), address.host(), address.port())
                .indent(8)
                .stripTrailing();
    }

    /**
     * What the file has to be.
     *
     * @throws IOException if it can't be read as such a file; the message names it and the place
     */
    static String merged(Path file, DebuggerAddress address) throws IOException {
        if (!Files.exists(file)) {
            return text(address);
        }
        if (Files.size(file) > LARGEST) {
            throw new IOException(file + ": more than 1 MiB (expected: a launch.json of VS Code)");
        }
        String before = Files.readString(file);
        if (before.isBlank()) {
            return text(address);
        }
        Places places;
        try {
            places = Places.in(before, address.name());
        } catch (JsonProcessingException malformed) {
            JsonLocation place = malformed.getLocation();
            throw new IOException(
                    file + ": " + (place == null ? "" : "line " + place.getLineNr() + ": ")
                            + malformed.getOriginalMessage()
                            + " (left as it is; mend it, or add what is printed by hand)",
                    malformed);
        }
        if (places.end < 0) {
            throw new IOException(file + ": no list \"configurations\" at its top (left as it is; add one)");
        }
        String entry = entry(address);
        if (places.ownFrom >= 0) {
            return before.substring(0, places.ownFrom) + entry.strip() + before.substring(places.ownTo);
        }
        String head = before.substring(0, places.last).stripTrailing();
        String rest = before.substring(places.last, places.end).stripTrailing();
        boolean comma = places.isEmpty || hasComma(rest);
        return head + (comma ? "" : ",") + rest + '\n' + entry + "\n    " + before.substring(places.end);
    }

    /** Whether a comma stands there outside of comments. */
    private static boolean hasComma(String between) {
        return between.replaceAll("(?s)/\\*.*?\\*/|//[^\\n]*", "").contains(",");
    }

    /** Where in the text the list of configurations is, and the one of that name. */
    private static final class Places {
        /** After the list's last element, or after its bracket. */
        private int last = -1;

        /** The list's closing bracket; below 0 if there is no list. */
        private int end = -1;

        private boolean isEmpty = true;
        private int ownFrom = -1;
        private int ownTo = -1;

        static Places in(String text, String name) throws IOException {
            Places places = new Places();
            try (JsonParser parser = JSON.createParser(text)) {
                if (parser.nextToken() != JsonToken.START_OBJECT) {
                    throw new JsonParseException(parser, "no object at its top");
                }
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    boolean list = parser.currentName().equals("configurations") && places.end < 0;
                    if (parser.nextToken() == JsonToken.START_ARRAY && list) {
                        places.read(parser, name);
                    } else {
                        parser.skipChildren();
                    }
                }
                if (parser.nextToken() != null) {
                    throw new JsonParseException(parser, "something behind its end");
                }
            }
            return places;
        }

        private void read(JsonParser parser, String name) throws IOException {
            last = offset(parser) + 1;
            for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
                int from = offset(parser);
                isEmpty = false;
                if (token == JsonToken.START_OBJECT && isNamed(parser, name)) {
                    ownFrom = from;
                    ownTo = offset(parser) + 1;
                } else if (token == JsonToken.START_ARRAY) {
                    parser.skipChildren();
                }
                last = (int) parser.currentLocation().getCharOffset();
            }
            end = offset(parser);
        }

        /** Reads an object to its end. */
        private static boolean isNamed(JsonParser parser, String name) throws IOException {
            boolean named = false;
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                boolean asked = parser.currentName().equals("name");
                parser.nextToken();
                named |= asked && name.equals(parser.getValueAsString());
                parser.skipChildren();
            }
            return named;
        }

        private static int offset(JsonParser parser) {
            return (int) parser.currentTokenLocation().getCharOffset();
        }
    }
}
