package io.plat.engine.rbac.index;

import io.plat.engine.lookup.ShardedMap;
import io.plat.engine.rbac.RbacRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the rules for one API group grant, by resource as rules write it. */
final class ResourceTable {
    static final ResourceTable EMPTY = new ResourceTable(ShardedMap.empty(), 0);

    private final ShardedMap<String, Permit> permits;
    private final @Nullable Permit all;
    /** How many keys stand for a subresource of every resource, such as {@code *}{@code /scale}. */
    private final int subresourcesOfAll;

    private ResourceTable(ShardedMap<String, Permit> permits, int subresourcesOfAll) {
        this.permits = permits;
        this.all = permits.get(RbacRule.ALL);
        this.subresourcesOfAll = subresourcesOfAll;
    }

    boolean isEmpty() {
        return permits.isEmpty();
    }

    @Nullable
    CompiledRule find(Question question) {
        CompiledRule found = find(permits.get(question.resource), question);
        if (found == null && all != null) {
            found = find(all, question);
        }
        if (found == null && subresourcesOfAll > 0 && !question.anyResource.isEmpty()) {
            found = find(permits.get(question.anyResource), question);
        }
        return found;
    }

    private static @Nullable CompiledRule find(@Nullable Permit permit, Question question) {
        return permit == null ? null : permit.find(question.verbBit, question.verb, question.name);
    }

    ResourceTable change(Map<String, RuleChanges> changes) {
        Map<String, Permit> puts = new HashMap<>();
        List<String> removals = new ArrayList<>();
        int ofAll = subresourcesOfAll;
        for (Map.Entry<String, RuleChanges> change : changes.entrySet()) {
            String resource = change.getKey();
            Permit before = permits.get(resource);
            Permit after = Permit.change(before, change.getValue().minus, change.getValue().plus);
            if (after == null) {
                removals.add(resource);
            } else {
                puts.put(resource, after);
            }
            if (resource.startsWith("*/")) {
                ofAll += (after == null ? 0 : 1) - (before == null ? 0 : 1);
            }
        }
        return new ResourceTable(permits.with(puts, removals), ofAll);
    }
}
