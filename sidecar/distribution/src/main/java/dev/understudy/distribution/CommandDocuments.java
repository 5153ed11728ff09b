package dev.understudy.distribution;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Writes the completions and manual pages of all commands; run by the build. */
public final class CommandDocuments {
    private static final String NAME = "understudy";

    private final Path share;
    private final String version;
    private final String day;

    private CommandDocuments(Path share, String version, String day) {
        this.share = share;
        this.version = version;
        this.day = day;
    }

    /**
     * Writes them.
     *
     * @param args the folder {@code share}, the agent's jar, the version, and the time of the build as in ISO 8601
     * @throws IOException if a file can't be written
     */
    public static void main(String[] args) throws IOException {
        CommandLine all = CommandTree.all(Path.of(args[1]));
        CommandDocuments documents = new CommandDocuments(Path.of(args[0]), args[2], args[3].substring(0, 10));
        CommandSpec root = all.getCommandSpec();
        documents.write("bash-completion/completions/" + NAME, AutoComplete.bash(NAME, all));
        documents.write("zsh/site-functions/_" + NAME, ZshCompletion.of(root));
        documents.write("fish/vendor_completions.d/" + NAME + ".fish", FishCompletion.of(root));
        documents.pages(NAME, root);
    }

    private void pages(String name, CommandSpec spec) throws IOException {
        write("man/man1/" + name + ".1", new ManualPage(name, spec, version, day).text());
        for (var below : CommandTree.below(spec).entrySet()) {
            pages(name + "-" + below.getKey(), below.getValue());
        }
    }

    private void write(String name, String text) throws IOException {
        Path file = share.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
