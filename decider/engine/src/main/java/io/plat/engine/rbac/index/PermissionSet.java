package io.plat.engine.rbac.index;

import io.plat.engine.lookup.PathTable;
import io.plat.engine.lookup.ShardedMap;
import io.plat.engine.rbac.RbacRule;
import io.plat.review.ApiGroups;
import io.plat.review.NonResourceAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Any number of rules in tables: by API group and resource, and by path. Immutable; a set that differs by some rules is derived by
 * touching only the keys of those rules.
 */
final class PermissionSet implements Permissions {
    static final PermissionSet EMPTY = new PermissionSet(ShardedMap.empty(), Map.of());

    private final ShardedMap<String, ResourceTable> groups;
    private final @Nullable ResourceTable anyGroup;
    private final Map<String, Permit> urls;
    private final PathTable<Permit> paths;

    private PermissionSet(ShardedMap<String, ResourceTable> groups, Map<String, Permit> urls) {
        this(groups, urls, urls.isEmpty() ? PathTable.empty() : PathTable.of(urls));
    }

    private PermissionSet(ShardedMap<String, ResourceTable> groups, Map<String, Permit> urls, PathTable<Permit> paths) {
        this.groups = groups;
        this.anyGroup = groups.get(RbacRule.ALL);
        this.urls = urls;
        this.paths = paths;
    }

    @Override
    public @Nullable CompiledRule find(Question question) {
        ResourceTable table = groups.get(question.group);
        CompiledRule found = table == null ? null : table.find(question);
        return found == null && anyGroup != null ? anyGroup.find(question) : found;
    }

    @Override
    public @Nullable CompiledRule find(NonResourceAttributes request) {
        if (urls.isEmpty()) {
            return null;
        }
        long bit = Verbs.bit(request.verb());
        Permit exact = paths.exact(request.path());
        CompiledRule found = exact == null ? null : exact.find(bit, request.verb(), "");
        int prefix = paths.longest(request.path());
        while (found == null && prefix >= 0) {
            found = paths.value(prefix).find(bit, request.verb(), "");
            prefix = paths.shorter(prefix);
        }
        return found;
    }

    /** The set after some rules went and others came. */
    PermissionSet change(Collection<CompiledRule> minus, Collection<CompiledRule> plus) {
        Map<String, Map<String, RuleChanges>> onResources = new HashMap<>();
        Map<String, RuleChanges> onPaths = new HashMap<>();
        minus.forEach(rule -> sort(rule, false, onResources, onPaths));
        plus.forEach(rule -> sort(rule, true, onResources, onPaths));
        ShardedMap<String, ResourceTable> newGroups = onResources.isEmpty() ? groups : changeGroups(onResources);
        if (onPaths.isEmpty()) {
            return new PermissionSet(newGroups, urls, paths);
        }
        return new PermissionSet(newGroups, changeUrls(onPaths));
    }

    private static void sort(
            CompiledRule compiled,
            boolean comes,
            Map<String, Map<String, RuleChanges>> onResources,
            Map<String, RuleChanges> onPaths) {
        RbacRule rule = compiled.rule;
        Set<String> resources = new LinkedHashSet<>(rule.resources());
        Set<String> apiGroups = new LinkedHashSet<>();
        rule.apiGroups().forEach(group -> apiGroups.add(ApiGroups.canonical(group)));
        for (String group : apiGroups) {
            Map<String, RuleChanges> table = onResources.computeIfAbsent(group, g -> new HashMap<>());
            for (String resource : resources) {
                table.computeIfAbsent(resource, r -> new RuleChanges()).add(compiled, comes);
            }
        }
        for (String url : new LinkedHashSet<>(rule.nonResourceUrls())) {
            onPaths.computeIfAbsent(url, u -> new RuleChanges()).add(compiled, comes);
        }
    }

    private ShardedMap<String, ResourceTable> changeGroups(Map<String, Map<String, RuleChanges>> changes) {
        Map<String, ResourceTable> puts = new HashMap<>();
        List<String> removals = new ArrayList<>();
        changes.forEach((group, resources) -> {
            ResourceTable before = groups.get(group);
            ResourceTable after = (before == null ? ResourceTable.EMPTY : before).change(resources);
            if (after.isEmpty()) {
                removals.add(group);
            } else {
                puts.put(group, after);
            }
        });
        return groups.with(puts, removals);
    }

    private Map<String, Permit> changeUrls(Map<String, RuleChanges> changes) {
        Map<String, Permit> changed = new HashMap<>(urls);
        changes.forEach((url, change) -> {
            Permit after = Permit.change(changed.get(url), change.minus, change.plus);
            if (after == null) {
                changed.remove(url);
            } else {
                changed.put(url, after);
            }
        });
        return changed;
    }
}
