package io.plat.engine.rbac.index;

import io.plat.engine.lookup.Frozen;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.index.RuleTree.Attribute;
import io.plat.review.ApiGroups;
import io.plat.review.NonResourceAttributes;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A rule of a role, prepared for comparisons. Has identity semantics. */
final class CompiledRule {
    /** The number of the role with the rule; for an aggregated rule, that of the aggregating role. */
    final int role;

    final RbacRule rule;

    /** True if the index has an entry for each combination of the rule's values; otherwise the whole rule is compared. */
    final boolean split;

    private final long verbs;
    private final Set<String> names;
    /** The canonical names of the groups. */
    private final List<String> groups;
    /** The first group and the first resource, for most rules the only ones. */
    private final @Nullable String group;

    private final @Nullable String resource;

    CompiledRule(int role, RbacRule rule, boolean split) {
        this.role = role;
        this.rule = rule;
        this.split = split;
        this.verbs = Verbs.mask(rule.verbs());
        this.names = Frozen.copyOf(rule.resourceNames());
        List<String> canonical =
                rule.apiGroups().stream().map(ApiGroups::canonical).toList();
        this.groups = canonical.equals(rule.apiGroups()) ? rule.apiGroups() : canonical;
        this.group = groups.isEmpty() ? null : groups.getFirst();
        this.resource = rule.resources().isEmpty() ? null : rule.resources().getFirst();
    }

    /** Returns the canonical names of the groups. */
    List<String> groups() {
        return groups;
    }

    /** Returns the object names to which the rule is limited; empty if it is not. */
    Set<String> names() {
        return names;
    }

    /** Returns whether the rule covers a request whose attributes before a given one are known to be covered. */
    boolean covers(CompiledRequest request, Attribute from) {
        if (!coversVerb(request)) {
            return false;
        }
        if (request.onPath) {
            return from.compareTo(Attribute.PATH) > 0 || coversPath(request.path);
        }
        return coversName(request.name)
                && (from.compareTo(Attribute.GROUP) > 0 || coversGroup(request))
                && (from.compareTo(Attribute.RESOURCE) > 0 || coversResource(request));
    }

    boolean coversVerb(CompiledRequest request) {
        return request.verbBit != 0
                ? (verbs & request.verbBit) != 0
                : verbs == Verbs.ALL || rule.verbs().contains(request.verb);
    }

    /** Returns the number of verbs without a bit. */
    int additionalVerbs() {
        return verbs == Verbs.ALL ? 0 : rule.verbs().size() - Long.bitCount(verbs);
    }

    boolean coversGroup(CompiledRequest request) {
        return covers(group, groups, request.group, RbacRule.ALL);
    }

    boolean coversResource(CompiledRequest request) {
        return covers(resource, rule.resources(), request.resource, request.anyResource);
    }

    private static boolean covers(@Nullable String first, List<String> all, String exact, String wider) {
        if (first == null || is(first, exact, wider)) {
            return first != null;
        }
        for (int i = 1; i < all.size(); i++) {
            if (is(all.get(i), exact, wider)) {
                return true;
            }
        }
        return false;
    }

    private static boolean is(String written, String exact, String wider) {
        return written.equals(exact) || written.equals(RbacRule.ALL) || written.equals(wider);
    }

    /** Returns whether the rule covers an object name; {@code ""} is only covered by a rule without names. */
    boolean coversName(String name) {
        return names.isEmpty() || (!name.isEmpty() && names.contains(name));
    }

    /** Returns whether one of the rule's path patterns covers a path. */
    boolean coversPath(String path) {
        List<String> urls = rule.nonResourceUrls();
        for (int i = 0; i < urls.size(); i++) {
            if (NonResourceAttributes.matches(urls.get(i), path)) {
                return true;
            }
        }
        return false;
    }
}
