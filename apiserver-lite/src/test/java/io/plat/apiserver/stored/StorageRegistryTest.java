package io.plat.apiserver.stored;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.StorageIdentity;
import io.plat.engine.rbac.RbacKind;
import io.plat.review.ApiGroups;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Identities of built-in and custom types, and stored objects that no type serves. */
class StorageRegistryTest {
    private final ResourceCatalog catalog = ResourceCatalog.builtIn();
    private final StorageRegistry registry = new StorageRegistry(catalog);

    @Test
    void builtInGroupsRefuseCustomTypesUnderEveryAlias() {
        for (ResourceType type : catalog.types()) {
            assertThat(registry.custom(type.resource(), type.group())).isEqualTo(StorageIdentity.NONE);
            assertThat(registry.custom("anything", type.group())).isEqualTo(StorageIdentity.NONE);
        }
        assertThat(registry.custom("widgets", "example.com").resource()).isEqualTo("widgets.example.com");
        assertThat(registry.custom("roles", "sub." + ApiGroups.RBAC).role()).isEmpty();
    }

    @Test
    void sharedPrefixMeansVersionsOfOneType() {
        Map<String, ResourceType> first = new HashMap<>();
        for (ResourceType type : catalog.types()) {
            if (!type.virtual()) {
                ResourceType known = first.putIfAbsent(type.storage(), type);
                assertThat(known == null || known.kind().equals(type.kind()))
                        .as(type.storage())
                        .isTrue();
                assertThat(type.storage()).doesNotContain("/");
            }
        }
        for (RbacKind kind : RbacKind.values()) {
            for (ResourceType type : catalog.types()) {
                boolean holds = type.identity().role().equals(Optional.of(kind));
                assertThat(holds)
                        .as(type.id().toString())
                        .isEqualTo(ApiGroups.canonical(type.group()).equals(ApiGroups.RBAC)
                                && type.resource().equals(kind.resource()));
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // Columns: key, metadata, other members, whether it is foreign.
                "roles.rbac.authorization.k8s.io/n/a        |                              |                   | false",
                "roles.rbac.authorization.k8s.io/n/a        | rbac.authorization.k8s.io/v1 |                   | false",
                "roles.rbac.authorization.k8s.io/n/a        | rbac.authorization.plat.io/v1alpha1 |            | false",
                "roles.rbac.authorization.k8s.io/n/a        | rbac.authorization.k8s.io/v2 |                   | true",
                "roles.rbac.authorization.k8s.io/n/a        | rbac.authorization.plat.io/v1 |                  | true",
                "roles.rbac.authorization.k8s.io/n/a        | example.com/v2               |                   | false",
                "roles.rbac.authorization.k8s.io/n/a        |                              | 'kind':'Role'     | false",
                "roles.rbac.authorization.k8s.io/n/a        |                              | 'kind':'Evil'     | true",
                "roles.rbac.authorization.k8s.io/n/a        |                              | 'rules':[{'kind':'Evil','apiVersion':'x/v9'}] | false",
                "roles.rbac.authorization.k8s.io/n/a        |                              | 'apiVersion':'rbac.authorization.k8s.io/v2' | true",
                "roles.rbac.authorization.plat.io/n/a       |                              |                   | true",
                "widgets.rbac.authorization.k8s.io/n/a      |                              |                   | true",
                "events.events.k8s.io/n/a                   |                              |                   | true",
                "events/n/a                                 | events.k8s.io/v1             |                   | false",
                "events/n/a                                 | events.k8s.io/v2             |                   | true",
                "deployments.apps/n/a                       | apps/v1beta1                 |                   | false",
                "deployments.apps/n/a                       | apps/v1                      | 'kind':'Evil'     | true",
                "pods/n/a                                   | v1                           |                   | false",
                "widgets.example.com/n/a                    | example.com/v9               | 'kind':'Widget'   | false",
                "server-secrets/continue-tokens             |                              | 'kind':'x'        | false",
            })
    void foreignObjectsAreRecognized(String key, @Nullable String owner, @Nullable String member, boolean foreign) {
        String owners = owner == null ? "" : ",'managedFields':[{'manager':'m','apiVersion':'" + owner + "'}]";
        String namespace = key.indexOf('/') == key.lastIndexOf('/') ? "" : ",'namespace':'n'";
        String text = "{'metadata':{'name':'a'" + namespace + owners + "}" + (member == null ? "" : "," + member) + "}";
        assertThat(registry.foreign()
                        .test(new Entry(Key.parse(key), text.replace('\'', '"').getBytes(UTF_8), 1)))
                .isEqualTo(foreign);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // Columns: key, stored bytes, whether they are foreign.
                "roles.rbac.authorization.k8s.io/n/a       | {'metadata':{'name':'a','namespace':'n'}}           | false",
                "clusterroles.rbac.authorization.k8s.io/a  | {'metadata':{'name':'a'},'rules':[{'x':1.5e9}]}     | false",
                "widgets.example.com/n/a                   | {'metadata':{'name':'a','namespace':'n'}}           | false",
                // Another object's name or namespace.
                "roles.rbac.authorization.k8s.io/n/a       | {'metadata':{'name':'b','namespace':'n'}}           | true",
                "roles.rbac.authorization.k8s.io/n/a       | {'metadata':{'name':'a','namespace':'m'}}           | true",
                "roles.rbac.authorization.k8s.io/n/a       | {'metadata':{'name':'a'}}                           | true",
                "roles.rbac.authorization.k8s.io/n/a       | {'metadata':{'namespace':'n'}}                      | true",
                "clusterroles.rbac.authorization.k8s.io/a  | {'metadata':{'name':'a','namespace':'n'}}           | true",
                "clusterroles.rbac.authorization.k8s.io/a  | {'metadata':{'name':'a','name':'b'}}                | true",
                "widgets.example.com/n/a                   | {'metadata':{'name':'b','namespace':'n'}}           | true",
                // Not decodable.
                "clusterroles.rbac.authorization.k8s.io/a  | {'metadata':{'name':'a'},'metadata':'x'}            | true",
                "clusterroles.rbac.authorization.k8s.io/a  | {'metadata':{'name':'a'},'metadata':{'name':'a'}}   | true",
                "clusterroles.rbac.authorization.k8s.io/a  | {'metadata':{'name':'a'}} x                         | true",
                "clusterroles.rbac.authorization.k8s.io/a  | {'metadata':{'name':'a'}                            | true",
                "clusterroles.rbac.authorization.k8s.io/a  | {'metadata':{'name':'a'},'x':1e99999999999}         | true",
                "clusterroles.rbac.authorization.k8s.io/a  | {'metadata':{'name':'a','x':DEEP}}                  | true",
                "widgets.example.com/n/a                   | {'metadata':{'name':'a','namespace':'n'},'x':DEEP}  | true",
                "widgets.example.com/n/a                   | []                                                  | true",
            })
    void whatCannotBeReadOrNamesAnotherObjectIsForeign(String key, String stored, boolean foreign) {
        byte[] bytes = stored.replace('\'', '"')
                .replace("DEEP", "[".repeat(900) + "]".repeat(900))
                .getBytes(UTF_8);
        assertThat(registry.foreign().test(new Entry(Key.parse(key), bytes, 1))).isEqualTo(foreign);
        if (!foreign) {
            assertThat(StoredForm.decode(bytes, 1).isObject()).isTrue();
        }
    }

    @Test
    void everyGrantingTypeIsGuarded() {
        assertThat(catalog.types().stream()
                        .filter(type -> type.identity().guarded())
                        .map(ResourceType::storage)
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(Arrays.asList(
                        "roles.rbac.authorization.k8s.io",
                        "rolebindings.rbac.authorization.k8s.io",
                        "clusterroles.rbac.authorization.k8s.io",
                        "clusterrolebindings.rbac.authorization.k8s.io",
                        "certificatesigningrequests.certificates.k8s.io"));
    }
}
