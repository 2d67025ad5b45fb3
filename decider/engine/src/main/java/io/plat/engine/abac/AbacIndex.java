package io.plat.engine.abac;

import io.plat.engine.Decision;
import io.plat.engine.lookup.Frozen;
import io.plat.engine.lookup.ShardedMap;
import io.plat.review.Attributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A policy compiled for deciding. Lines are indexed by user and group, and then by the access that they cover. A decision looks up tables and never
 * scans lines: its cost only depends on the number of the user's groups. Immutable; a decision takes no lock and allocates almost nothing.
 */
public final class AbacIndex {
    /** Index of a policy without lines. */
    public static final AbacIndex EMPTY = of(new AbacPolicy(List.of()));

    private final List<Decision.Allow> allows;
    /** The lines by user, and then by group; {@code ""} for lines without one. */
    private final ShardedMap<String, Map<String, LineTable>> tables;

    private AbacIndex(List<Decision.Allow> allows, ShardedMap<String, Map<String, LineTable>> tables) {
        this.allows = allows;
        this.tables = tables;
    }

    /** Compiles a policy. */
    public static AbacIndex of(AbacPolicy policy) {
        Map<String, Map<String, List<LineTable.Placed>>> lines = new HashMap<>();
        for (int position = 0; position < policy.lines().size(); position++) {
            AbacLine line = policy.lines().get(position);
            if (line.namesSubject()) {
                lines.computeIfAbsent(anyIsEmpty(line.user()), user -> new HashMap<>(2))
                        .computeIfAbsent(anyIsEmpty(line.group()), group -> new ArrayList<>(1))
                        .add(new LineTable.Placed(position, line));
            }
        }
        Map<String, Map<String, LineTable>> tables = HashMap.newHashMap(lines.size());
        lines.forEach((user, byGroup) -> {
            Map<String, LineTable> ofUser = HashMap.newHashMap(byGroup.size());
            byGroup.forEach((group, some) -> ofUser.put(group, LineTable.of(some)));
            tables.put(user, Frozen.copyOf(ofUser));
        });
        return new AbacIndex(policy.allows(), ShardedMap.of(tables));
    }

    private static String anyIsEmpty(String written) {
        return written.equals(AbacLine.ANY) ? "" : written;
    }

    /** Returns the Allow of each line, in the order of the file. */
    List<Decision.Allow> allows() {
        return allows;
    }

    /** Returns the lines, in the order of the file. */
    List<AbacLine> lines() {
        return allows.stream().map(AbacIndex::lineOf).toList();
    }

    static AbacLine lineOf(Decision.Allow allow) {
        return ((AbacGrant) allow.grant()).line();
    }

    /** Returns the Allow of the first matching line in the file, or null. */
    Decision.@Nullable Allow firstAllow(Attributes attributes) {
        LineMismatches request = new LineMismatches(attributes.access());
        List<String> groups = attributes.user().groups();
        int first = Math.min(
                first(tables.get(""), groups, request),
                first(tables.get(attributes.user().name()), groups, request));
        return first == LineTable.NONE ? null : allows.get(first);
    }

    private static int first(@Nullable Map<String, LineTable> byGroup, List<String> groups, LineMismatches request) {
        if (byGroup == null) {
            return LineTable.NONE;
        }
        int first = first(byGroup.get(""), request);
        for (int i = 0; i < groups.size(); i++) {
            first = Math.min(first, first(byGroup.get(groups.get(i)), request));
        }
        return first;
    }

    private static int first(@Nullable LineTable table, LineMismatches request) {
        return table == null ? LineTable.NONE : table.first(request);
    }
}
