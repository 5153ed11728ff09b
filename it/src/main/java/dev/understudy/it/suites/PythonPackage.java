package dev.understudy.it.suites;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A package whose source distribution contains its tests; pip compares the checksum.
 *
 * @param sha256 of the source distribution
 * @param parts of the source distribution that the tests need; the package itself is installed as built
 * @param requirements with their versions, beside the package
 * @param edits of files, before the first run
 */
record PythonPackage(
        String name, String version, String sha256, List<String> parts, List<String> requirements, List<Edit> edits)
        implements SuiteSource {
    /** A text that stands in a file, and what takes its place. */
    record Edit(String file, String from, String to) {}

    private static final String TREE = "tree";
    private static final String PLUGIN = "moments";

    PythonPackage {
        parts = List.copyOf(parts);
        requirements = List.copyOf(requirements);
        edits = List.copyOf(edits);
    }

    @Override
    public String pinned() {
        return name + " " + version;
    }

    @Override
    public List<String> programs() {
        return List.of("python3", "tar");
    }

    @Override
    public void fetch(Path cache) throws IOException, InterruptedException {
        Path venv = cache.resolve("venv");
        Path done = cache.resolve("installed");
        Path log = cache.resolve("pip");
        if (!Files.exists(done)) {
            SuiteProcess.succeed(cache, log, List.of("python3", "-m", "venv", venv.toString()));
            List<String> install = new ArrayList<>(pip(venv, "install"));
            install.add(name + "==" + version);
            install.addAll(requirements);
            SuiteProcess.succeed(cache, log, install);
            unpack(cache, venv, log);
            Files.createFile(done);
        }
    }

    private void unpack(Path cache, Path venv, Path log) throws IOException, InterruptedException {
        Path wanted = cache.resolve("requirements.txt");
        Files.writeString(wanted, name + "==" + version + " --hash=sha256:" + sha256 + "\n");
        List<String> download = new ArrayList<>(pip(venv, "download"));
        download.addAll(List.of("--no-deps", "--no-binary=" + name, "-r", wanted.toString()));
        SuiteProcess.succeed(cache, log, download);
        Path tree = Files.createDirectories(cache.resolve(TREE));
        String folder = name.toLowerCase(java.util.Locale.ROOT) + "-" + version;
        List<String> unpack = new ArrayList<>(List.of(
                "tar", "xzf", cache.resolve(folder + ".tar.gz").toString(), "--strip-components=1", "-C", tree + ""));
        parts.forEach(part -> unpack.add(folder + "/" + part));
        SuiteProcess.succeed(cache, log, unpack);
        for (Edit edit : edits) {
            Path file = tree.resolve(edit.file());
            String text = Files.readString(file);
            if (!text.contains(edit.from())) {
                throw new IOException(file + ": without '" + edit.from() + "' (expected: as in " + pinned() + ")");
            }
            Files.writeString(file, text.replace(edit.from(), edit.to()));
        }
        try (InputStream plugin = PythonPackage.class.getResourceAsStream(PLUGIN + ".py")) {
            Files.write(tree.resolve(PLUGIN + ".py"), plugin == null ? new byte[0] : plugin.readAllBytes());
        }
    }

    private static List<String> pip(Path venv, String command) {
        return List.of(venv.resolve("bin/pip").toString(), command, "-q", "--disable-pip-version-check");
    }

    @Override
    public List<TestResult> run(Path cache, Path side, Map<String, String> environment, List<String> arguments)
            throws IOException, InterruptedException {
        Path tree = cache.resolve(TREE);
        Path xml = side.resolve("output.xml");
        List<String> command = new ArrayList<>(List.of(
                cache.resolve("venv/bin/python").toString(),
                "-m",
                "pytest",
                "-q",
                "-p",
                PLUGIN,
                "-p",
                "no:cacheprovider",
                "--timeout=60",
                // pytest's own texts parse the sources, and fail on some
                "--tb=native",
                "--junit-xml=" + xml));
        command.addAll(arguments);
        SuiteProcess.run(tree, side.resolve("output.txt"), environment, command);
        if (!Files.exists(xml)) {
            throw new IOException(pinned() + " wrote no XML:\n" + Files.readString(side.resolve("output.txt")));
        }
        try (InputStream written = Files.newInputStream(xml)) {
            return JunitReader.read(written);
        }
    }
}
