package io.plat.engine.rbac.index;

import io.plat.engine.lookup.Frozen;
import io.plat.engine.rbac.RbacRule;
import io.plat.review.ApiGroups;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A rule within a role, with its verbs and names prepared for lookups. Two are the same only if they are one object. */
final class CompiledRule implements Permit {
    private static final String[] NONE = {};

    /** The number of the role that has the rule: for an aggregating role that one, not the one that it was taken from. */
    final int role;

    final RbacRule rule;
    final long verbs;
    private final Set<String> otherVerbs;
    private final Set<String> names;
    /** The first group, in its canonical name, and the first resource: with most rules the only ones, so they stand here. */
    private final @Nullable String group;

    private final @Nullable String resource;
    private final String[] furtherGroups;
    private final String[] furtherResources;

    CompiledRule(int role, RbacRule rule) {
        this.role = role;
        this.rule = rule;
        this.verbs = Verbs.mask(rule.verbs());
        this.otherVerbs = verbs == Verbs.ALL ? Set.of() : others(rule.verbs());
        this.names = Frozen.copyOf(rule.resourceNames());
        List<String> groups =
                rule.apiGroups().stream().map(ApiGroups::canonical).toList();
        this.group = groups.isEmpty() ? null : groups.getFirst();
        this.furtherGroups = further(groups);
        this.resource = rule.resources().isEmpty() ? null : rule.resources().getFirst();
        this.furtherResources = further(rule.resources());
    }

    private static String[] further(List<String> values) {
        return values.size() < 2 ? NONE : values.subList(1, values.size()).toArray(String[]::new);
    }

    private static Set<String> others(List<String> verbs) {
        return Frozen.copyOf(verbs.stream().filter(verb -> Verbs.bit(verb) == 0).toList());
    }

    /** The object names that the rule is limited to; empty for a rule without such a limit. */
    Set<String> names() {
        return names;
    }

    /** The verbs that have no bit. */
    Set<String> otherVerbs() {
        return otherVerbs;
    }

    boolean coversVerb(long bit, String verb) {
        return bit != 0 ? (verbs & bit) != 0 : verbs == Verbs.ALL || otherVerbs.contains(verb);
    }

    /** Whether the rule's groups and resources include those asked for. */
    boolean covers(Question question) {
        return coversGroup(question.group) && coversResource(question);
    }

    /** Whether the rule's groups include one, by its canonical name. */
    boolean coversGroup(String canonical) {
        if (group == null || covers(group, canonical)) {
            return group != null;
        }
        for (String further : furtherGroups) {
            if (covers(further, canonical)) {
                return true;
            }
        }
        return false;
    }

    private static boolean covers(String group, String canonical) {
        return group.equals(canonical) || group.equals(RbacRule.ALL);
    }

    /** Whether the rule's resources include the one asked for. */
    boolean coversResource(Question question) {
        if (resource == null || covers(resource, question)) {
            return resource != null;
        }
        for (String further : furtherResources) {
            if (covers(further, question)) {
                return true;
            }
        }
        return false;
    }

    private static boolean covers(String resource, Question question) {
        return resource.equals(question.resource)
                || resource.equals(RbacRule.ALL)
                || (!question.anyResource.isEmpty() && resource.equals(question.anyResource));
    }

    /** Whether one of the rule's path patterns covers a path. */
    boolean coversPath(String path) {
        List<String> urls = rule.nonResourceUrls();
        for (int i = 0; i < urls.size(); i++) {
            String url = urls.get(i);
            if (url.equals(path) || (url.endsWith("*") && path.regionMatches(0, url, 0, url.length() - 1))) {
                return true;
            }
        }
        return false;
    }

    @Override
    public @Nullable CompiledRule find(long bit, String verb, String name) {
        return coversVerb(bit, verb) && (names.isEmpty() || (!name.isEmpty() && names.contains(name))) ? this : null;
    }
}
