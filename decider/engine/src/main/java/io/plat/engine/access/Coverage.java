package io.plat.engine.access;

import io.plat.engine.access.Box.Side;
import io.plat.engine.rbac.RbacRule;
import io.plat.review.ApiGroups;
import io.plat.review.ResourceAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Comparison of requested rules with rules that the user holds, for the prevention of privilege escalation (specification, "RBAC mode", 6).
 *
 * <p>Coverage is by atom. An atom is an API group, a resource, a name or none, and a verb; or a path and a verb. Each atom has to be covered by a
 * single held rule; different atoms may be covered by different rules. A wildcard is covered by a wildcard only: as a set of values, it has more
 * of them than any number of rules that name theirs. The cost is bounded, and a comparison that exceeds the bounds is not covered. Used once, by one
 * thread.
 */
public final class Coverage {
    /** Maximum number of compared values, which takes some tens of milliseconds. */
    private static final long MAX_STEPS = 10_000_000;

    private final RuleBoxes boxes = new RuleBoxes(Subresources.ANY);
    private final ComplexityLimit effort = new ComplexityLimit(MAX_STEPS);
    private final Set<RbacRule> held;
    private final Set<RbacRule> wanted;
    private final List<Box> heldOfAllResources = new ArrayList<>();
    private final Map<String, List<Box>> heldByResource = new HashMap<>();
    private final MissingRules missing = new MissingRules();

    private Coverage(Collection<RbacRule> held, Collection<RbacRule> wanted) {
        this.held = new LinkedHashSet<>(held);
        this.wanted = new LinkedHashSet<>(wanted);
    }

    /** Returns the access that the requested rules grant beyond the held ones. */
    public static CoverageResult of(Collection<RbacRule> held, Collection<RbacRule> wanted) {
        try {
            return new Coverage(held, wanted).result();
        } catch (TooComplexException e) {
            return new CoverageResult.Unknown();
        }
    }

    private CoverageResult result() {
        indexHeld();
        for (RbacRule rule : wanted) {
            missing.of(rule);
            Set<Box> cuts = cutsFor(rule);
            for (Box box : boxes.asWritten(rule)) {
                beyond(box, cuts).forEach(piece -> addMissing(rule, piece));
            }
            comparePaths(rule);
        }
        return missing.result();
    }

    private void indexHeld() {
        List<Box> cuts = new ArrayList<>();
        for (RbacRule rule : held) {
            for (Box cut : boxes.asWritten(rule)) {
                effort.spend(cut.size());
                cuts.add(cut);
            }
        }
        for (Box cut : BoxReduction.merged(cuts)) {
            Values resources = cut.side(Side.RESOURCES);
            if (resources.isWide()) {
                heldOfAllResources.add(cut);
            } else {
                for (String resource : resources.unsorted()) {
                    heldByResource
                            .computeIfAbsent(resource, one -> new ArrayList<>(1))
                            .add(cut);
                }
            }
        }
    }

    /** Returns the held boxes that can cover an atom of a rule: those of one of its resources, and of all resources. */
    private Set<Box> cutsFor(RbacRule rule) {
        Set<Box> cuts = new LinkedHashSet<>(heldOfAllResources);
        for (String resource : rule.resources()) {
            cuts.addAll(heldByResource.getOrDefault(ResourceAttributes.resourceOf(resource), List.of()));
        }
        return cuts;
    }

    private boolean intersect(Box one, Box other) {
        effort.spend(1L + Math.min(one.size(), other.size()));
        return one.intersects(other);
    }

    private List<Box> beyond(Box box, Collection<Box> cuts) {
        List<Box> remaining = List.of(box);
        for (Box cut : cuts) {
            List<Box> next = new ArrayList<>(remaining.size());
            for (Box piece : remaining) {
                effort.spend(intersect(piece, cut) ? piece.size() : 0);
                piece.cutBy(cut, next);
            }
            remaining = next;
        }
        return remaining;
    }

    /** Adds the atoms of a rule that are in a piece. A wildcard is in it if its values are all but some. */
    private void addMissing(RbacRule rule, Box piece) {
        List<String> names = rule.resourceNames();
        List<String> missingNames =
                names.stream().filter(piece.side(Side.NAMES)::contains).toList();
        if (names.isEmpty() || !missingNames.isEmpty()) {
            missing.add(
                    rule.apiGroups().stream()
                            .filter(group -> isIn(piece.side(Side.API_GROUPS), ApiGroups.canonical(group)))
                            .toList(),
                    rule.resources().stream()
                            .filter(resource -> isResourceIn(piece, resource))
                            .toList(),
                    missingNames,
                    rule.verbs().stream()
                            .filter(verb -> isIn(piece.side(Side.VERBS), verb))
                            .toList());
        }
    }

    private static boolean isIn(Values values, String written) {
        return written.equals(RbacRule.ALL) ? values.isWide() : values.contains(written);
    }

    private static boolean isResourceIn(Box piece, String written) {
        Values subresources = piece.side(Side.SUBRESOURCES);
        return isIn(piece.side(Side.RESOURCES), ResourceAttributes.resourceOf(written))
                && (written.equals(RbacRule.ALL)
                        ? subresources.isWide()
                        : subresources.contains(ResourceAttributes.subresourceOf(written)));
    }

    private void comparePaths(RbacRule rule) {
        for (String url : new LinkedHashSet<>(rule.nonResourceUrls())) {
            Set<String> verbs = new HashSet<>();
            for (RbacRule own : held) {
                effort.spend(1 + own.nonResourceUrls().size());
                if (own.nonResourceUrls().stream().anyMatch(pattern -> coversUrl(pattern, url))) {
                    effort.spend(own.verbs().size());
                    verbs.addAll(own.verbs());
                }
            }
            if (!verbs.contains(RbacRule.ALL)) {
                missing.add(
                        url,
                        rule.verbs().stream()
                                .filter(verb -> !verbs.contains(verb))
                                .toList());
            }
        }
    }

    /** Returns whether a pattern covers a path or a prefix: the same one, or one that begins with it. */
    private static boolean coversUrl(String pattern, String url) {
        int literal = url.endsWith("*") ? url.length() - 1 : url.length();
        int prefix = pattern.length() - 1;
        return pattern.equals(url)
                || (pattern.endsWith("*") && prefix <= literal && url.regionMatches(0, pattern, 0, prefix));
    }
}
