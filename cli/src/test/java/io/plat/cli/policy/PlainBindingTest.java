package io.plat.cli.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.manifest.RbacManifestReader;
import io.plat.review.source.ProblemsException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** A binding that is read the fast way is the one that the general reader reads; whatever else there is, is left to that. */
final class PlainBindingTest {
    private static final List<String> LINES = List.of(
            "---",
            "apiVersion: rbac.authorization.k8s.io/v1",
            "apiVersion: rbac.authorization.plat.io/v1alpha1",
            "kind: RoleBinding",
            "kind: ClusterRoleBinding",
            "metadata:",
            "  name: b",
            "  namespace: a",
            "  labels:",
            "subjects:",
            "- kind: User",
            "  - kind: Group",
            "  name: system:authenticated",
            "    name: jane",
            "  name: yes",
            "  name: 12",
            "  name: 'q'",
            "  namespace: x # why",
            "  apiGroup: rbac.authorization.k8s.io",
            "- kind: ServiceAccount",
            "roleRef:",
            "  kind: ClusterRole",
            "  kind: Role",
            "  name: r",
            "  name: a: b",
            "  name: a:",
            "",
            "extra: x");

    private static final String BINDING = """
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata:
              name: b
              namespace: a
            subjects:
            - kind: User
              name: jane
              apiGroup: rbac.authorization.k8s.io
            - kind: ServiceAccount
              name: bot
            roleRef:
              kind: Role
              name: r
              apiGroup: rbac.authorization.k8s.io
            """;

    @Test
    void aPlainBindingIsRead() throws ProblemsException {
        RbacBinding plain = PlainBinding.read(BINDING, new HashMap<>());

        assertThat(plain).isNotNull().isEqualTo(generally(BINDING));
        assertThat(PlainBinding.read(
                        BINDING.replace("- kind", "  - kind").replace("  name: jane", "    name: jane"),
                        new HashMap<>()))
                .isNull();
    }

    @Property(tries = 20_000)
    void whatIsReadIsWhatTheGeneralReaderReads(@ForAll("documents") String document) throws ProblemsException {
        RbacBinding plain = PlainBinding.read(document, new HashMap<>());
        if (plain != null) {
            assertThat(plain).as(document).isEqualTo(generally(document));
        }
    }

    private static RbacBinding generally(String document) throws ProblemsException {
        RbacManifestReader reader = new RbacManifestReader();
        reader.add("document.yaml", document);
        RbacPolicy policy = reader.finish().policy();
        assertThat(policy.bindings()).as(document).hasSize(1);
        RbacBinding read = policy.bindings().getFirst();
        return new RbacBinding(read.key(), read.subjects(), read.roleRef(), null);
    }

    /** The binding with a line left out, put in, or replaced by another, twice. */
    @Provide
    Arbitrary<String> documents() {
        Arbitrary<Change> change = Combinators.combine(
                        Arbitraries.integers().between(0, 15), Arbitraries.of(LINES), Arbitraries.of(0, 1, 2))
                .as(Change::new);
        return change.list().ofMinSize(1).ofMaxSize(3).map(changes -> {
            List<String> lines = new ArrayList<>(BINDING.lines().toList());
            changes.forEach(one -> one.apply(lines));
            return String.join("\n", lines) + "\n";
        });
    }

    private record Change(int at, String line, int how) {
        void apply(List<String> lines) {
            int place = Math.min(at, lines.size() - 1);
            switch (how) {
                case 0 -> lines.remove(place);
                case 1 -> lines.add(place, line);
                default -> lines.set(place, line);
            }
        }
    }
}
