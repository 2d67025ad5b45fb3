package io.plat.engine.rbac.index;

import io.plat.engine.rbac.RbacBinding;
import io.plat.review.AccessAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.explain.SubjectName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Whom role objects grant any of some accesses: looks at every binding that counts where one is made, and once at its role. Used once. */
final class RbacHolders {
    private final Map<String, InNamespace> namespaces = new HashMap<>();
    private final InNamespace everywhere = new InNamespace();
    private final SortedSet<SubjectName> holders = new TreeSet<>();

    private RbacHolders(Collection<? extends AccessAttributes> any) {
        for (AccessAttributes access : any) {
            RuleGaps gaps = new RuleGaps(access);
            everywhere.asked.add(gaps);
            if (access instanceof ResourceAttributes resource
                    && !resource.namespace().isEmpty()) {
                namespaces
                        .computeIfAbsent(resource.namespace(), name -> new InNamespace())
                        .asked
                        .add(gaps);
            }
        }
    }

    /** What is asked where bindings of one namespace, or those of the cluster, count. */
    private static final class InNamespace {
        private final List<RuleGaps> asked = new ArrayList<>();
        /** Many bindings give one role. */
        private final IdentityHashMap<CompiledRole, Boolean> known = new IdentityHashMap<>();

        boolean isGrantedBy(CompiledRole role) {
            return known.computeIfAbsent(
                    role,
                    one -> one.rules().stream().anyMatch(rule -> asked.stream().anyMatch(gaps -> gaps.of(rule) == 0)));
        }
    }

    static SortedSet<SubjectName> of(List<RoleObjects> indexes, Collection<? extends AccessAttributes> any) {
        RbacHolders found = new RbacHolders(any);
        indexes.forEach(index -> index.forEachBinding(binding -> found.asked(binding) != null, found::look));
        return found.holders;
    }

    private @Nullable InNamespace asked(RbacBinding binding) {
        String namespace = binding.key().namespace();
        return namespace.isEmpty() ? everywhere : namespaces.get(namespace);
    }

    private void look(RbacBinding binding, CompiledRole role) {
        InNamespace asked = asked(binding);
        if (asked != null && asked.isGrantedBy(role)) {
            BoundSubject.allOf(binding).forEach(subject -> holders.add(subject.listed()));
        }
    }
}
