package io.plat.engine.rbac.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.engine.policy.AuthorizationOptions;
import io.plat.engine.policy.PolicyLoader;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RoleRef;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Default role objects of each version: complete, with their source, and replaced by objects of the same name. */
class KubernetesRolesTest {
    private static Stream<RbacObject> objects(RbacPolicy policy) {
        return Stream.concat(policy.roles().stream(), policy.bindings().stream());
    }

    @ParameterizedTest
    @EnumSource
    void everyBindingHasItsRoleAndEveryObjectItsSource(KubernetesRoles version) {
        RbacPolicy policy = version.addedTo(RbacPolicy.EMPTY);
        List<ObjectKey> roles = policy.roles().stream().map(RbacRole::key).toList();
        assertThat(policy.bindings())
                .isNotEmpty()
                .allSatisfy(binding -> assertThat(binding.role()).isIn(roles));
        assertThat(objects(policy))
                .allSatisfy(
                        object -> assertThat(object.source()).isEqualTo(object.key() + " (" + version.source() + ")"));
        assertThat(policy.roles().stream().flatMap(role -> role.rules().stream()))
                .allSatisfy(rule -> assertThat(String.valueOf(rule.where())).isEqualTo(version.source()));
    }

    @Test
    void anObjectOfTheSameKindAndNameReplacesADefault() {
        RbacRole view = RbacRole.clusterRole("view", List.of(RbacRule.onPaths(List.of("get"), List.of("/x"))));
        RbacRole namesake = RbacRole.role("team-a", "edit", List.of());
        RbacBinding nobody = RbacBinding.clusterRoleBinding(
                "system:discovery", new RoleRef("", "ClusterRole", "", "view"), List.of());
        RbacPolicy all = KubernetesRoles.LATEST.addedTo(RbacPolicy.EMPTY);
        RbacPolicy policy = KubernetesRoles.LATEST.addedTo(new RbacPolicy(List.of(view, namesake), List.of(nobody)));
        assertThat(policy.roles()).hasSize(all.roles().size() + 1).startsWith(view, namesake);
        assertThat(policy.bindings()).hasSize(all.bindings().size()).startsWith(nobody);
        assertThat(objects(policy).map(RbacObject::key))
                .doesNotHaveDuplicates()
                .contains(new ObjectKey(RbacKind.CLUSTER_ROLE, "", "edit"));
    }

    @Test
    void defaultRolesArePartOfTheRevision(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("roles.yaml"), "");
        assertThat(revision(file, true)).isEqualTo(revision(file, true)).isNotEqualTo(revision(file, false));
    }

    private static String revision(Path file, boolean defaults) throws Exception {
        return PolicyLoader.of(
                        new AuthorizationOptions(List.of("RBAC"), null, List.of(file), null, "", null, defaults),
                        Map.of(),
                        InstantSource.system())
                .load()
                .revision();
    }
}
