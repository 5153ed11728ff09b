package dev.understudy.divergence.noise.learn;

import dev.understudy.divergence.compare.ItemOrder;
import java.util.LinkedHashMap;
import java.util.Map;

/** Production, asked the same again, gave the same items in another order: so the order means nothing to it. */
final class OrderEvidence implements Evidence {
    private static final int CONTRADICTIONS = 5;
    private static final int REMEMBERED = 64;

    private final Map<String, String> orders = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > REMEMBERED;
        }
    };
    private int contradictions;

    @Override
    public boolean observe(Sighting seen) {
        ItemOrder shown = ItemOrder.read(seen.production());
        if (shown != null) {
            String before = orders.put(key(seen, shown), shown.order());
            contradictions += before != null && !before.equals(shown.order()) ? 1 : 0;
        }
        return shown != null;
    }

    @Override
    public boolean proven() {
        return contradictions >= CONTRADICTIONS;
    }

    @Override
    public boolean fits(Sighting seen) {
        return true;
    }

    private static String key(Sighting seen, ItemOrder shown) {
        return Integer.toHexString(seen.request().hashCode())
                + seen.difference().path().hashCode()
                + shown.items();
    }
}
