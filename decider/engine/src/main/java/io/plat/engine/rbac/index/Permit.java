package io.plat.engine.rbac.index;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the rules for one resource, or one path pattern, grant: a single rule itself, or several merged. */
sealed interface Permit permits CompiledRule, MergedPermit {
    /**
     * A rule that covers a verb, or null.
     *
     * @param bit the verb's bit, 0 where it has none
     * @param name the name of the object, {@code ""} where the request names none
     */
    @Nullable
    CompiledRule find(long bit, String verb, String name);

    /** A permit after rules went and came; null where none is left. */
    static @Nullable Permit change(@Nullable Permit before, Set<CompiledRule> minus, Collection<CompiledRule> plus) {
        if (before instanceof MergedPermit merged) {
            return merged.change(minus, plus);
        }
        List<CompiledRule> rules = new ArrayList<>();
        if (before instanceof CompiledRule rule && !minus.contains(rule)) {
            rules.add(rule);
        }
        rules.addAll(plus);
        return switch (rules.size()) {
            case 0 -> null;
            case 1 -> rules.getFirst();
            default -> MergedPermit.EMPTY.change(Set.of(), rules);
        };
    }
}
