package dev.understudy.sidecar.report;

import com.github.difflib.DiffUtils;
import com.github.difflib.patch.AbstractDelta;
import com.github.difflib.patch.Chunk;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Two values in two cells of a table row, with the words marked that only one of them has. */
final class SideBySide {
    private static final Pattern WORDS = Pattern.compile("[\\p{L}\\p{N}_]+|\\s+|.", Pattern.DOTALL);
    private static final int LONGEST = 2_000;

    private SideBySide() {}

    /** @param production null if there was nothing */
    static void write(Markup page, @Nullable String production, @Nullable String debug) {
        if (production == null || debug == null || production.length() + debug.length() > LONGEST) {
            cell(page, production, "del");
            cell(page, debug, "ins");
            return;
        }
        List<String> ofProduction = words(production);
        List<String> ofDebug = words(debug);
        List<Chunk<String>> left = new ArrayList<>();
        List<Chunk<String>> right = new ArrayList<>();
        for (AbstractDelta<String> delta : DiffUtils.diff(ofProduction, ofDebug).getDeltas()) {
            left.add(delta.getSource());
            right.add(delta.getTarget());
        }
        marked(page, ofProduction, left, "del");
        marked(page, ofDebug, right, "ins");
    }

    private static void cell(Markup page, @Nullable String value, String mark) {
        page.open("td");
        if (value == null) {
            page.element("i", "nothing");
        } else {
            page.open("code").open(mark).text(value).close(mark).close("code");
        }
        page.close("td");
    }

    private static void marked(Markup page, List<String> words, List<Chunk<String>> chunks, String mark) {
        page.open("td").open("code");
        int at = 0;
        for (Chunk<String> chunk : chunks) {
            page.text(String.join("", words.subList(at, chunk.getPosition())));
            at = chunk.getPosition() + chunk.size();
            if (chunk.size() > 0) {
                page.open(mark)
                        .text(String.join("", words.subList(chunk.getPosition(), at)))
                        .raw("</" + mark + ">");
            }
        }
        page.text(String.join("", words.subList(at, words.size())))
                .raw("</code>")
                .close("td");
    }

    private static List<String> words(String value) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORDS.matcher(value);
        while (matcher.find()) {
            words.add(matcher.group());
        }
        return words;
    }
}
