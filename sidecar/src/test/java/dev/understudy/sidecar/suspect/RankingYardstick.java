package dev.understudy.sidecar.suspect;

import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.sidecar.config.SidecarConfig;
import dev.understudy.sidecar.suspect.journal.ObservationReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Ranks recorded trials again without any server, and learns weights from them.
 *
 * <p>Its folder has for each bug {@code BUG.gz}, what the ranking rested on, and {@code BUG.yaml}, the sidecar's
 * settings of the trial; {@code it/bench localisation --record FOLDER} writes both. Guilty methods are those of
 * {@code examples/bugs}.
 */
final class RankingYardstick {
    private static final int FIRST_FIVE = 5;
    private static final int ROUNDS = 400;
    private static final double RATE = 0.5;
    /** Where learning begins, and what it is drawn back to: what publications say, in round numbers. */
    private static final double[] PRIOR = {0.6, 0.3, 0.3, 0.3, 0.5, 0.4, 0.2, 1, 0.1, 0.1, -0.6, -0.4, 0.3};

    private RankingYardstick() {}

    /** Arguments: the folder, that of the bugs, and {@code learn} for weights, one project left out at a time. */
    public static void main(String... arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        Path bugs = Path.of(arguments[1]);
        boolean learn = arguments.length > 2 && arguments[2].equals("learn");
        boolean verbose = arguments.length > 2 && arguments[2].equals("verbose");
        List<Trace> traces = read(folder, bugs);
        RankingWeights learned = RankingWeights.learned();
        System.out.println("| bug | by importance: rank | first five at question | weighed: rank | first five at |");
        System.out.println("| --- | --- | --- | --- | --- |");
        for (Trace trace : traces) {
            System.out.println(trace.row(learned));
            if (verbose) {
                trace.print(learned);
            }
        }
        System.out.println(sums(traces, learned));
        System.out.println("as begun: " + sums(traces, RankingWeights.of(PRIOR)));
        if (learn) {
            leaveOut(traces);
            double[] all = learn(traces);
            System.out.println("all: " + sums(traces, RankingWeights.of(all)));
            for (int i = 0; i < all.length; i++) {
                System.out.printf(Locale.ROOT, "%s = %.2f%n", MethodEvidence.NAMES[i], all[i]);
            }
        }
    }

    /** All that is recorded in a folder, ranked at each question. */
    static List<Trace> read(Path folder, Path bugs) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.toString().endsWith(".gz")).sorted().toList();
        }
        List<Trace> traces = new ArrayList<>();
        for (Path file : files) {
            traces.add(read(folder, bugs, file.getFileName().toString().replace(".gz", "")));
        }
        return traces;
    }

    private static void leaveOut(List<Trace> traces) {
        Map<String, List<Trace>> projects = new LinkedHashMap<>();
        traces.forEach(trace -> projects.computeIfAbsent(trace.project(), any -> new ArrayList<>())
                .add(trace));
        System.out.println("one project left out at a time:");
        int[] sums = new int[4];
        for (List<Trace> left : projects.values()) {
            List<Trace> others =
                    traces.stream().filter(trace -> !left.contains(trace)).toList();
            RankingWeights weights = RankingWeights.of(learn(others));
            for (Trace trace : left) {
                System.out.println(trace.row(weights));
                add(sums, trace, weights);
            }
        }
        System.out.println(words(sums));
    }

    private static String sums(List<Trace> traces, RankingWeights weights) {
        int[] sums = new int[4];
        traces.forEach(trace -> add(sums, trace, weights));
        return words(sums);
    }

    private static void add(int[] sums, Trace trace, RankingWeights weights) {
        int before = trace.last().listed;
        int now = trace.last().rank(weights);
        sums[0] += before == 1 ? 1 : 0;
        sums[1] += before > 0 && before <= FIRST_FIVE ? 1 : 0;
        sums[2] += now == 1 ? 1 : 0;
        sums[3] += now > 0 && now <= FIRST_FIVE ? 1 : 0;
    }

    private static String words(int[] sums) {
        return "by importance " + sums[0] + " first, " + sums[1] + " in five; weighed " + sums[2] + " first, " + sums[3]
                + " in five";
    }

    /**
     * Weights by gradient descent on the log-likelihood that a guilty method is drawn (softmax over the candidates of
     * each question), with a penalty on how far they are from {@link #PRIOR}; each bug counts the same.
     */
    private static double[] learn(List<Trace> traces) {
        double penalty = Double.parseDouble(System.getProperty("penalty", "0.1"));
        double sharpness = 4;
        int count = MethodEvidence.NAMES.length;
        double[] weights = PRIOR.clone();
        Set<String> without = Set.of(System.getProperty("without", "").split(","));
        for (int round = 0; round < ROUNDS; round++) {
            double[] gradient = new double[count];
            for (Trace trace : traces) {
                List<Question> told =
                        trace.questions.stream().filter(Question::hasGuilty).toList();
                for (Question question : told) {
                    question.gradient(weights, sharpness, gradient, 1.0 / told.size() / traces.size());
                }
            }
            for (int i = 0; i < count; i++) {
                gradient[i] -= penalty * (weights[i] - PRIOR[i]);
                weights[i] += RATE * gradient[i];
                if (without.contains(MethodEvidence.NAMES[i])) {
                    weights[i] = 0;
                }
            }
        }
        return weights;
    }

    private static Trace read(Path folder, Path bugs, String bug) throws IOException {
        Set<String> guilty = new LinkedHashSet<>();
        boolean there = false;
        for (String line : Files.readAllLines(bugs.resolve(bug).resolve("bug.yaml"))) {
            there |= line.startsWith("guilty:");
            if (there && line.strip().startsWith("- ")) {
                guilty.add(line.strip().substring(2));
            }
        }
        Problems problems = new Problems();
        SidecarConfig config = SidecarConfig.read(
                folder.resolve(bug + ".yaml"), new Overrides(Map.of(), List.of(), problems), problems);
        Suspects suspects = new Suspects(config.suspects(), new Random(1));
        Trace trace = new Trace(bug, guilty, new ArrayList<>());
        ObservationReader.read(folder.resolve(bug + ".gz"), suspects, () -> {
            trace.questions.add(new Question(suspects.standing(), suspects.scored(), guilty));
        });
        return trace;
    }

    private static String plain(String method) {
        return method.replaceAll("\\(.*", "");
    }

    /** A trial's questions. */
    record Trace(String bug, Set<String> guilty, List<Question> questions) {
        String project() {
            return bug.replaceAll("-.*", "");
        }

        Question last() {
            return questions.get(questions.size() - 1);
        }

        String row(RankingWeights weights) {
            int before = 0;
            int now = 0;
            for (int i = questions.size() - 1; i >= 0; i--) {
                int listed = questions.get(i).listed;
                int rank = questions.get(i).rank(weights);
                before = listed > 0 && listed <= FIRST_FIVE ? i + 1 : before;
                now = rank > 0 && rank <= FIRST_FIVE ? i + 1 : now;
            }
            return "| " + bug + " | " + last().listed + " | " + before + " | " + last().rank(weights) + " | " + now
                    + " | " + questions.size() + " questions, " + last().failing;
        }

        void print(RankingWeights weights) {
            last().print(weights, guilty);
        }
    }

    /** What was known at one time. */
    static final class Question {
        private final int listed;
        private final String failing;
        private final List<MethodRanking.Scored> candidates;
        private final boolean[] guilty;

        Question(SuspectsSnapshot standing, List<MethodRanking.Scored> scored, Set<String> methods) {
            List<String> names = new ArrayList<>();
            standing.suspects().forEach(suspect -> {
                names.add(plain(suspect.method()));
                suspect.alike().forEach(alike -> names.add(plain(alike.method())));
            });
            List<String> distinct = names.stream().distinct().toList();
            listed = methods.stream()
                    .mapToInt(method -> distinct.indexOf(method) + 1)
                    .filter(place -> place > 0)
                    .min()
                    .orElse(0);
            failing = standing.failing() + " failing, " + standing.successful() + " successful";
            candidates = scored;
            guilty = new boolean[candidates.size()];
            for (int i = 0; i < guilty.length; i++) {
                guilty[i] = methods.contains(plain(candidates.get(i).method()));
            }
        }

        /** The first place of a guilty method in the list by importance; 0 if it isn't there. */
        int listed() {
            return listed;
        }

        boolean hasGuilty() {
            for (boolean one : guilty) {
                if (one) {
                    return true;
                }
            }
            return false;
        }

        List<Integer> order(RankingWeights weights) {
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < guilty.length; i++) {
                order.add(i);
            }
            double[] scores = candidates.stream()
                    .mapToDouble(one -> weights.score(one.evidence()))
                    .toArray();
            order.sort((one, other) -> Double.compare(scores[other], scores[one]));
            return order;
        }

        /** The first place of a guilty method among those without parameters; 0 if it isn't there. */
        int rank(RankingWeights weights) {
            Set<String> before = new LinkedHashSet<>();
            for (int i : order(weights)) {
                before.add(plain(candidates.get(i).method()));
                if (guilty[i]) {
                    return before.size();
                }
            }
            return 0;
        }

        void print(RankingWeights weights, Set<String> methods) {
            int place = 0;
            for (int i : order(weights)) {
                place++;
                if (place <= 6 || guilty[i]) {
                    MethodRanking.Scored one = candidates.get(i);
                    System.out.printf(
                            Locale.ROOT,
                            "  %s%d %.2f %s %s%n",
                            guilty[i] ? "*" : " ",
                            place,
                            weights.score(one.evidence()),
                            one.method().replaceAll("\\(.*", "").replaceAll("^.*\\.(?=[^.]*#)", ""),
                            Arrays.stream(one.evidence().values())
                                    .mapToObj(value -> String.format(Locale.ROOT, "%.2f", value))
                                    .toList());
                }
            }
            System.out.println("   of " + guilty.length + "; guilty " + methods);
        }

        void gradient(double[] weights, double sharpness, double[] gradient, double share) {
            double[] odds = new double[guilty.length];
            double all = 0;
            double right = 0;
            RankingWeights now = RankingWeights.of(weights);
            for (int i = 0; i < odds.length; i++) {
                odds[i] = Math.exp(sharpness * now.score(candidates.get(i).evidence()));
                all += odds[i];
                right += guilty[i] ? odds[i] : 0;
            }
            for (int i = 0; i < odds.length; i++) {
                double[] values = candidates.get(i).evidence().values();
                double pull = (guilty[i] ? odds[i] / right : 0) - odds[i] / all;
                for (int j = 0; j < values.length; j++) {
                    gradient[j] += share * sharpness * pull * values[j];
                }
            }
        }
    }
}
