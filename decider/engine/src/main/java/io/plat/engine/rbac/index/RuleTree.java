package io.plat.engine.rbac.index;

import io.plat.engine.lookup.PathTable;
import io.plat.engine.lookup.ShardedMap;
import io.plat.engine.rbac.RbacRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Index of rules. A few short ones are compared one by one. More are split by one {@link Attribute} after another, so that a lookup costs the same
 * for any number of them: after the last attribute every rule covers the request. Immutable; a tree with changed rules is derived by replacing only
 * their branches.
 */
final class RuleTree {
    private static final CompiledRule[] NONE = {};
    static final RuleTree EMPTY = new RuleTree(Attribute.KIND, NONE);

    private static final int FEW = 4;
    /** Maximum number of values of rules that are compared one by one, not counting object names, which are looked up by hash. */
    private static final int SHORT = 24;

    private static final String RESOURCES = "resources";
    private static final String PATHS = "paths";
    private static final String UNSPLIT = "unsplit";

    /**
     * Attributes by which rules are split, in this order. After {@link #KIND}, rules for resources continue with the group, those for paths with
     * the path.
     */
    enum Attribute {
        /** No split: the rules are compared one by one. */
        UNSPLIT,
        KIND,
        GROUP,
        RESOURCE,
        NAME,
        PATH,
        VERB,
        NOTHING;

        private Set<String> branches(CompiledRule compiled) {
            RbacRule rule = compiled.rule;
            Set<String> branches = new HashSet<>();
            switch (this) {
                case KIND -> {
                    if (!compiled.split) {
                        branches.add(RuleTree.UNSPLIT);
                        break;
                    }
                    if (!rule.resources().isEmpty()) {
                        branches.add(RESOURCES);
                    }
                    if (!rule.nonResourceUrls().isEmpty()) {
                        branches.add(PATHS);
                    }
                }
                case GROUP -> branches.addAll(compiled.groups());
                case RESOURCE -> branches.addAll(rule.resources());
                case NAME -> {
                    branches.addAll(compiled.names());
                    // An empty name covers nothing: this branch is for rules without names.
                    branches.remove("");
                    if (compiled.names().isEmpty()) {
                        branches.add("");
                    }
                }
                case PATH -> branches.addAll(rule.nonResourceUrls());
                case VERB -> branches.addAll(rule.verbs());
                case UNSPLIT, NOTHING -> {}
            }
            return branches;
        }

        private Attribute next(String branch) {
            return switch (this) {
                case KIND -> branch.equals(RuleTree.UNSPLIT) ? UNSPLIT : branch.equals(PATHS) ? PATH : GROUP;
                case GROUP -> RESOURCE;
                case RESOURCE -> NAME;
                case NAME, PATH -> VERB;
                case UNSPLIT, VERB, NOTHING -> NOTHING;
            };
        }
    }

    /** The attribute that distinguishes the branches, or the first compared attribute of each rule. */
    private final Attribute attribute;

    private final CompiledRule[] rules;
    /** The first rule, which most lookups compare; null if there is none, or there are branches. */
    private final @Nullable CompiledRule first;

    private final @Nullable ShardedMap<String, RuleTree> branches;
    /** The branches by path pattern, if split by it. */
    private final @Nullable PathTable<RuleTree> paths;

    /** The branch of the remaining rules. */
    private final @Nullable RuleTree unsplit;

    private RuleTree(Attribute attribute, CompiledRule[] rules) {
        this.attribute = attribute;
        this.rules = rules;
        this.first = rules.length == 0 ? null : rules[0];
        this.branches = null;
        this.paths = null;
        this.unsplit = null;
    }

    private RuleTree(Attribute attribute, ShardedMap<String, RuleTree> branches) {
        this.attribute = attribute;
        this.rules = NONE;
        this.first = null;
        this.branches = branches;
        this.paths = attribute == Attribute.PATH ? paths(branches) : null;
        this.unsplit = attribute == Attribute.KIND ? branches.get(UNSPLIT) : null;
    }

    private static PathTable<RuleTree> paths(ShardedMap<String, RuleTree> branches) {
        Map<String, RuleTree> patterns = new HashMap<>();
        branches.forEach(patterns::put);
        return PathTable.of(patterns);
    }

    /** Returns a rule that covers the request, or null. */
    @Nullable
    CompiledRule find(CompiledRequest request) {
        if (first != null && first.covers(request, attribute)) {
            return first;
        }
        return branches == null ? findInRules(request) : findIn(branches, request);
    }

    private @Nullable CompiledRule findInRules(CompiledRequest request) {
        for (int i = 1; i < rules.length; i++) {
            if (rules[i].covers(request, attribute)) {
                return rules[i];
            }
        }
        return null;
    }

    private @Nullable CompiledRule findIn(ShardedMap<String, RuleTree> split, CompiledRequest request) {
        return switch (attribute) {
            case KIND -> {
                CompiledRule rule = find(request.onPath ? PATHS : RESOURCES, request, split);
                yield rule == null && unsplit != null ? unsplit.find(request) : rule;
            }
            case GROUP -> either(request.group, RbacRule.ALL, request, split);
            case RESOURCE -> {
                CompiledRule rule = either(request.resource, RbacRule.ALL, request, split);
                yield rule == null && !request.anyResource.equals(RbacRule.ALL)
                        ? find(request.anyResource, request, split)
                        : rule;
            }
            case NAME -> either("", request.name, request, split);
            case PATH -> byPath(request);
            case VERB -> either(request.verb, RbacRule.ALL, request, split);
            case UNSPLIT, NOTHING -> null;
        };
    }

    private static @Nullable CompiledRule either(
            String branch, String other, CompiledRequest request, ShardedMap<String, RuleTree> branches) {
        CompiledRule rule = find(branch, request, branches);
        return rule == null && !branch.equals(other) ? find(other, request, branches) : rule;
    }

    private static @Nullable CompiledRule find(
            String branch, CompiledRequest request, ShardedMap<String, RuleTree> branches) {
        RuleTree tree = branches.get(branch);
        return tree == null ? null : tree.find(request);
    }

    private @Nullable CompiledRule byPath(CompiledRequest request) {
        if (paths == null) {
            return null;
        }
        for (RuleTree covering : paths.covering(request.path)) {
            CompiledRule rule = covering.find(request);
            if (rule != null) {
                return rule;
            }
        }
        return null;
    }

    /** Returns the tree after rules were removed and added. */
    RuleTree change(Collection<CompiledRule> minus, Collection<CompiledRule> plus) {
        if (branches != null) {
            return new RuleTree(attribute, change(branches, minus, plus));
        }
        CompiledRule[] all = changed(minus, plus);
        return attribute == Attribute.NOTHING || attribute == Attribute.UNSPLIT || isFew(all)
                ? new RuleTree(attribute, all)
                : new RuleTree(attribute, change(ShardedMap.empty(), List.of(), Arrays.asList(all)));
    }

    private CompiledRule[] changed(Collection<CompiledRule> minus, Collection<CompiledRule> plus) {
        CompiledRule[] all = Arrays.copyOf(rules, rules.length + plus.size());
        int size = rules.length;
        if (minus.size() > FEW) {
            Set<CompiledRule> removed = new HashSet<>(minus);
            size = 0;
            for (CompiledRule rule : rules) {
                if (!removed.contains(rule)) {
                    all[size++] = rule;
                }
            }
        } else {
            // Comparing references accesses no rule, unlike the hash codes of a set lookup.
            for (CompiledRule rule : minus) {
                int at = position(rule, all, size);
                if (at < size) {
                    System.arraycopy(all, at + 1, all, at, --size - at);
                }
            }
        }
        for (CompiledRule rule : plus) {
            all[size++] = rule;
        }
        return size == all.length ? all : Arrays.copyOf(all, size);
    }

    @SuppressWarnings("ReferenceEquality") // Rules have identity semantics.
    private static int position(CompiledRule rule, CompiledRule[] rules, int size) {
        int at = 0;
        while (at < size && rules[at] != rule) {
            at++;
        }
        return at;
    }

    private boolean isFew(CompiledRule[] all) {
        int values = 0;
        for (CompiledRule compiled : all) {
            RbacRule rule = compiled.rule;
            values += compiled.additionalVerbs();
            values +=
                    attribute.compareTo(Attribute.GROUP) <= 0 ? rule.apiGroups().size() : 0;
            values += attribute.compareTo(Attribute.RESOURCE) <= 0
                    ? rule.resources().size()
                    : 0;
            values += attribute.compareTo(Attribute.PATH) <= 0
                    ? rule.nonResourceUrls().size()
                    : 0;
        }
        return all.length <= FEW && values <= SHORT;
    }

    /** Removed and added rules of a branch. */
    private record Change(List<CompiledRule> minus, List<CompiledRule> plus) {
        Change() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    private ShardedMap<String, RuleTree> change(
            ShardedMap<String, RuleTree> before, Collection<CompiledRule> minus, Collection<CompiledRule> plus) {
        Map<String, Change> changes = new HashMap<>();
        minus.forEach(rule -> attribute
                .branches(rule)
                .forEach(branch -> change(changes, branch).minus.add(rule)));
        plus.forEach(rule -> attribute
                .branches(rule)
                .forEach(branch -> change(changes, branch).plus.add(rule)));
        Map<String, @Nullable RuleTree> after = HashMap.newHashMap(changes.size());
        changes.forEach((branch, change) -> {
            RuleTree old = before.get(branch);
            RuleTree tree = old == null ? new RuleTree(attribute.next(branch), NONE) : old;
            RuleTree changed = tree.change(change.minus, change.plus);
            after.put(branch, changed.isEmpty() ? null : changed);
        });
        return before.with(after);
    }

    private static Change change(Map<String, Change> changes, String branch) {
        return changes.computeIfAbsent(branch, one -> new Change());
    }

    private boolean isEmpty() {
        return branches == null ? rules.length == 0 : branches.isEmpty();
    }
}
