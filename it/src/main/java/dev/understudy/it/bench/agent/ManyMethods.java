package dev.understudy.it.bench.agent;

import dev.understudy.it.bench.process.Shell;
import dev.understudy.it.overhead.Rearming;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;

/** As many methods as {@link Rearming} needs, written and compiled for it. */
final class ManyMethods {
    private static final String PACKAGE = "many";
    private static final int PER_CLASS = 20;

    private ManyMethods() {}

    /** Runs it; its figures by their names, times in nanoseconds. */
    static Map<String, Double> rearm(Jvms jvms, Path agent, int methods) throws IOException, InterruptedException {
        int classes = methods / PER_CLASS;
        Path folder = Files.createTempDirectory(jvms.folder(), PACKAGE);
        compile(folder, classes);
        List<String> command = new ArrayList<>(jvms.java(jvms.weavingOnly(agent, List.of(PACKAGE))));
        String classPath = command.remove(command.size() - 1);
        command.addAll(List.of(
                folder + ":" + classPath,
                Rearming.class.getName(),
                Integer.toString(methods),
                Integer.toString(classes),
                PACKAGE + ".All"));
        Map<String, Double> figures = new HashMap<>();
        for (String line : Shell.run(command).split("\n", -1)) {
            String[] parts = line.split("\t", -1);
            if (parts.length == 2) {
                figures.put(parts[0], Double.parseDouble(parts[1]));
            }
        }
        return figures;
    }

    private static void compile(Path folder, int classes) throws IOException {
        List<String> files = new ArrayList<>(List.of("-nowarn", "-proc:none", "-d", folder.toString()));
        StringBuilder all = new StringBuilder("package " + PACKAGE + ";\npublic class All implements"
                + " java.util.function.LongUnaryOperator {\npublic long applyAsLong(long x) {\n");
        for (int n = 0; n < classes; n++) {
            all.append("x = All").append(n).append(".all(x);\n");
            files.add(write(folder, "All" + n, one(n)));
        }
        files.add(write(folder, "All", all.append("return x;\n}\n}\n").toString()));
        if (ToolProvider.getSystemJavaCompiler().run(null, null, null, files.toArray(String[]::new)) != 0) {
            throw new IOException("not compiled");
        }
    }

    private static String one(int n) {
        StringBuilder text = new StringBuilder("package " + PACKAGE + ";\nclass All" + n + " {\n");
        StringBuilder calls = new StringBuilder("static long all(long x) {\n");
        for (int m = 0; m < PER_CLASS - 1; m++) {
            text.append("static long m%d(long x) {\nx ^= x << 13;\nx ^= x >>> 7;\nreturn x + %d;\n}\n".formatted(m, m));
            calls.append("x = m").append(m).append("(x);\n");
        }
        return text.append(calls).append("return x;\n}\n}\n").toString();
    }

    private static String write(Path folder, String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name + ".java"), text).toString();
    }
}
