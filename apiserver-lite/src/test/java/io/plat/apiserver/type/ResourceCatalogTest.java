package io.plat.apiserver.type;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ResourceCatalogTest {
    private final ResourceCatalog catalog = ResourceCatalog.builtIn();

    @Test
    void servesEachTypeUnderEveryNameOfItsGroup() {
        List<String> served = catalog.types().stream()
                .map(type -> type.apiVersion() + " " + type.resource())
                .toList();
        assertThat(served)
                .doesNotHaveDuplicates()
                .contains(
                        "v1 namespaces",
                        "v1 pods",
                        "v1 configmaps",
                        "v1 secrets",
                        "v1 serviceaccounts",
                        "v1 services",
                        "rbac.authorization.k8s.io/v1 roles",
                        "rbac.authorization.k8s.io/v1 clusterrolebindings",
                        "rbac.authorization.plat.io/v1alpha1 roles",
                        "rbac.authorization.plat.io/v1alpha1 clusterroles",
                        "rbac.authorization.plat.io/v1alpha1 rolebindings",
                        "authorization.k8s.io/v1 subjectaccessreviews",
                        "authorization.k8s.io/v1beta1 subjectaccessreviews",
                        "authorization.plat.io/v1beta1 subjectaccessreviews",
                        "authentication.k8s.io/v1 selfsubjectreviews");
    }

    @Test
    void kubernetesGroupPrecedesItsAlias() {
        var groups = new ArrayList<String>();
        catalog.types().forEach(type -> {
            if (!groups.contains(type.group())) {
                groups.add(type.group());
            }
        });
        assertThat(groups.indexOf("rbac.authorization.k8s.io"))
                .isLessThan(groups.indexOf("rbac.authorization.plat.io"));
        assertThat(groups.indexOf("authorization.k8s.io")).isLessThan(groups.indexOf("authorization.plat.io"));
    }

    @Test
    void versionsOfOneTypeShareOneStorage() {
        ResourceType one =
                catalog.find("rbac.authorization.k8s.io", "v1", "roles").orElseThrow();
        ResourceType other =
                catalog.find("rbac.authorization.plat.io", "v1alpha1", "roles").orElseThrow();
        assertThat(one.storage()).isEqualTo(other.storage()).isEqualTo("roles.rbac.authorization.k8s.io");
        assertThat(other.groupResource()).isEqualTo("roles.rbac.authorization.plat.io");
        assertThat(other.groupKind()).isEqualTo("Role.rbac.authorization.plat.io");
    }

    @Test
    void findsTypesByTheirNames() {
        ResourceType pods = catalog.find("", "v1", "pods").orElseThrow();
        assertThat(pods.kind()).isEqualTo("Pod");
        assertThat(pods.singular()).isEqualTo("pod");
        assertThat(pods.namespaced()).isTrue();
        assertThat(pods.shortNames()).containsExactly("po");
        assertThat(pods.categories()).containsExactly("all");
        assertThat(pods.verbs()).contains("create", "deletecollection", "watch");
        assertThat(pods.columns())
                .first()
                .isEqualTo(new Column(
                        "Name", "string", "name", "Name of the object, unique within its type and namespace.", 0));
        assertThat(pods.virtual()).isFalse();
        assertThat(catalog.find("authorization.k8s.io", "v1", "subjectaccessreviews")
                        .orElseThrow()
                        .virtual())
                .isTrue();
        assertThat(catalog.find("apps", "v1", "zebras")).isEmpty();
        assertThat(catalog.find("", "v2", "pods")).isEmpty();
    }

    @Test
    void everyColumnIsDescribed() {
        for (ResourceType type : catalog.types()) {
            for (Column column : type.columns()) {
                assertThat(column.description())
                        .as("%s of %s", column.name(), type)
                        .matches("[A-Z].*\\.");
            }
        }
        ResourceType secrets = catalog.find("", "v1", "secrets").orElseThrow();
        assertThat(secrets.columns().get(2).description()).as("its own").contains("not shown");
    }

    @Test
    void everyStoredTypeHasItsRulesAndItsSchema() {
        for (ResourceType type : catalog.types()) {
            if (!type.virtual()) {
                assertThat(TypeTraits.of(type).names()).isNotNull();
                assertThat(type.schema().fields()).as(type.toString()).containsKey("metadata");
            }
        }
    }
}
