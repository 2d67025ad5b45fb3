package io.plat.engine.rbac.coverage;

import io.plat.engine.rbac.RbacRule;
import io.plat.review.ApiGroups;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Index of held rules: the numbers of the rules that cover a value. */
final class HeldRules {
    private final StepBudget steps;
    private final Map<String, BitSet> verbs = new HashMap<>();
    private final Map<String, BitSet> groups = new HashMap<>();
    private final Map<String, BitSet> resources = new HashMap<>();
    private final Map<String, BitSet> names = new HashMap<>();
    private final BitSet anyName = new BitSet();
    private final Map<String, BitSet> urls = new HashMap<>();
    private final Map<String, BitSet> prefixes = new HashMap<>();
    private int words = 1;

    /** Indexes the held rules that can cover any of the requested ones. */
    HeldRules(Collection<RbacRule> held, RequestedValues wanted, StepBudget steps) {
        this.steps = steps;
        Set<RbacRule> distinct = new LinkedHashSet<>(held);
        int number = 0;
        for (RbacRule rule : distinct) {
            if (wanted.concern(rule)) {
                words = number / Long.SIZE + 1;
                add(rule, number++, wanted);
            }
            if (steps.exceeded()) {
                return;
            }
        }
    }

    private void add(RbacRule rule, int number, RequestedValues wanted) {
        rule.verbs().forEach(verb -> add(verbs, verb, wanted.verbs, number));
        rule.apiGroups().forEach(group -> add(groups, ApiGroups.canonical(group), wanted.groups, number));
        rule.resources().forEach(resource -> add(resources, resource, wanted.resources, number));
        rule.resourceNames().forEach(name -> add(names, name, wanted.names, number));
        if (rule.resourceNames().isEmpty()) {
            anyName.set(number);
        }
        for (String url : rule.nonResourceUrls()) {
            add(urls, url, wanted.urls, number);
            if (url.endsWith("*")) {
                String prefix = url.substring(0, url.length() - 1);
                add(prefixes, prefix, Set.of(prefix), number);
            }
        }
    }

    private void add(Map<String, BitSet> to, String value, Set<String> wanted, int number) {
        // The cost of a set of rules is its highest number, charged for each change.
        if (wanted.contains(value) && steps.take(words)) {
            to.computeIfAbsent(value, v -> new BitSet()).set(number);
        }
    }

    BitSet withVerb(String verb) {
        return either(verbs, verb, RbacRule.ALL);
    }

    BitSet withGroup(String group) {
        return either(groups, ApiGroups.canonical(group), RbacRule.ALL);
    }

    BitSet withResource(String resource) {
        BitSet rules = either(resources, resource, RbacRule.ALL);
        addAll(rules, resources.get(RequestedValues.ofAnyResource(resource)));
        return rules;
    }

    BitSet withName(String name) {
        BitSet rules = withAnyName();
        addAll(rules, names.get(name));
        return rules;
    }

    /** Returns the rules that are not limited to names. */
    BitSet withAnyName() {
        steps.take(words);
        return (BitSet) anyName.clone();
    }

    /** Returns the rules for a path or a prefix: the same one, or a shorter prefix. */
    BitSet withUrl(String url) {
        BitSet rules = new BitSet();
        addAll(rules, urls.get(url));
        String literal = url.endsWith("*") ? url.substring(0, url.length() - 1) : url;
        for (Map.Entry<String, BitSet> prefix : prefixes.entrySet()) {
            if (!steps.take(1)) {
                break;
            }
            if (literal.startsWith(prefix.getKey())) {
                addAll(rules, prefix.getValue());
            }
        }
        return rules;
    }

    private BitSet either(Map<String, BitSet> from, String value, String wildcard) {
        BitSet rules = new BitSet();
        addAll(rules, from.get(value));
        addAll(rules, from.get(wildcard));
        return rules;
    }

    private void addAll(BitSet to, @Nullable BitSet more) {
        if (more != null && steps.take(words)) {
            to.or(more);
        }
    }

    /** Returns the intersection of both sets. */
    BitSet both(BitSet one, BitSet other) {
        steps.take(words);
        BitSet both = (BitSet) one.clone();
        both.and(other);
        return both;
    }
}
