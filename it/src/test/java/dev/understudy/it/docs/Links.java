package dev.understudy.it.docs;

import dev.understudy.it.docs.Markdown.Kind;
import dev.understudy.it.docs.Markdown.Line;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether the files and headings that a document links to are there. */
final class Links {
    private static final Pattern INLINE_CODE = Pattern.compile("`[^`]*`");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");

    private Links() {}

    /** @param root the repository's folder */
    static List<String> problems(Path root, Markdown document) throws IOException {
        List<String> problems = new ArrayList<>();
        for (Line line : document.lines()) {
            if (line.kind() == Kind.CODE || line.kind() == Kind.COMMENT) {
                continue;
            }
            Matcher link = LINK.matcher(INLINE_CODE.matcher(line.text()).replaceAll("code"));
            while (link.find()) {
                String target = link.group(1);
                if (!ELSEWHERE.matcher(target).matches() && !leads(root, document, target)) {
                    problems.add(document.at(line.number(), "a link to nothing: " + target));
                }
            }
        }
        return problems;
    }

    private static boolean leads(Path root, Markdown document, String target) throws IOException {
        int hash = target.indexOf('#');
        String file = hash < 0 ? target : target.substring(0, hash);
        Path folder = root.resolve(document.path()).getParent();
        Path path = file.isEmpty() || folder == null ? root.resolve(document.path()) : folder.resolve(file);
        if (!Files.exists(path)) {
            return false;
        }
        boolean anchored = hash >= 0 && path.toString().endsWith(".md");
        return !anchored || Markdown.read(root, path).anchors().contains(target.substring(hash + 1));
    }
}
