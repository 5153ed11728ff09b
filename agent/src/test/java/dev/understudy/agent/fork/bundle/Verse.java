package dev.understudy.agent.fork.bundle;

/** What stands in a bundle. */
public final class Verse {
    private Verse() {}

    public static String rhyme(int words) {
        StringBuilder rhyme = new StringBuilder();
        for (int i = 0; i < words; i++) {
            rhyme.append(foot(i));
        }
        return rhyme.toString();
    }

    private static char foot(int position) {
        return position % 3 == 0 ? '-' : position % 7 == 0 ? ' ' : 'u';
    }
}
