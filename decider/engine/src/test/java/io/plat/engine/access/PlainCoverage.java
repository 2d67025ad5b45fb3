package io.plat.engine.access;

import io.plat.engine.rbac.RbacRule;
import io.plat.review.ApiGroups;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The definition of coverage, without regard to cost: one held rule covers each atom. */
final class PlainCoverage {
    /**
     * One atom of a rule.
     *
     * @param group null for a path
     * @param resource a resource, or the path
     * @param name empty if not limited to names
     */
    record Atom(String verb, @Nullable String group, String resource, Optional<String> name) {}

    private PlainCoverage() {}

    /** Returns the atoms of the wanted rules that no held rule covers. */
    static List<Atom> missing(List<RbacRule> held, List<RbacRule> wanted) {
        return atoms(wanted).stream()
                .filter(atom -> held.stream().noneMatch(rule -> has(rule, atom)))
                .distinct()
                .toList();
    }

    private static List<Atom> atoms(List<RbacRule> rules) {
        List<Atom> atoms = new ArrayList<>();
        for (RbacRule rule : rules) {
            for (String verb : rule.verbs()) {
                rule.nonResourceUrls().forEach(url -> atoms.add(new Atom(verb, null, url, Optional.empty())));
                for (String group : rule.apiGroups()) {
                    for (String resource : rule.resources()) {
                        if (rule.resourceNames().isEmpty()) {
                            atoms.add(new Atom(verb, group, resource, Optional.empty()));
                        }
                        rule.resourceNames()
                                .forEach(name -> atoms.add(new Atom(verb, group, resource, Optional.of(name))));
                    }
                }
            }
        }
        return atoms;
    }

    private static boolean has(RbacRule rule, Atom atom) {
        if (!rule.verbs().contains(atom.verb) && !rule.verbs().contains("*")) {
            return false;
        }
        if (atom.group == null) {
            return rule.nonResourceUrls().stream().anyMatch(url -> coversUrl(url, atom.resource));
        }
        String group = ApiGroups.canonical(Objects.requireNonNull(atom.group));
        return rule.apiGroups().stream()
                        .anyMatch(own ->
                                own.equals("*") || ApiGroups.canonical(own).equals(group))
                && rule.resources().stream().anyMatch(own -> coversResource(own, atom.resource))
                && (rule.resourceNames().isEmpty()
                        || atom.name.filter(rule.resourceNames()::contains).isPresent());
    }

    private static boolean coversResource(String own, String wanted) {
        return own.equals("*")
                || own.equals(wanted)
                || (wanted.contains("/") && own.equals("*" + wanted.substring(wanted.indexOf('/'))));
    }

    private static boolean coversUrl(String own, String wanted) {
        if (own.equals(wanted)) {
            return true;
        }
        boolean prefix = wanted.endsWith("*");
        String begins = prefix ? wanted.substring(0, wanted.length() - 1) : wanted;
        return own.endsWith("*") && begins.startsWith(own.substring(0, own.length() - 1));
    }
}
