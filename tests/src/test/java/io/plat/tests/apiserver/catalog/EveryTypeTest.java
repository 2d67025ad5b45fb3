package io.plat.tests.apiserver.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.tests.process.StandaloneServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Life cycle of an object of every type of the catalog, on one server. */
class EveryTypeTest {
    private static StandaloneServer server;

    @BeforeAll
    static void start() throws IOException {
        server = StandaloneServer.startWithRoles();
        String namespace = "{\"metadata\":{\"name\":\"" + ObjectLifecycle.NAMESPACE + "\"}}";
        assertThat(server.client()
                        .post(server.at("/api/v1/namespaces"), namespace)
                        .statusCode())
                .isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static List<ResourceType> types() {
        return ResourceCatalog.builtIn().types().stream()
                .filter(type -> type.verbs().containsAll(List.of("create", "patch")))
                .toList();
    }

    @Test
    void rowsMatchTheCatalog() throws IOException {
        assertThat(MinimalObject.all().keySet())
                .containsExactlyInAnyOrderElementsOf(
                        types().stream().map(MinimalObject::key).toList());
    }

    @TestFactory
    Stream<DynamicTest> objectLifecycle() throws IOException {
        Map<String, MinimalObject> objects = MinimalObject.all();
        return types().stream()
                .map(type -> DynamicTest.dynamicTest(MinimalObject.key(type), () -> {
                    MinimalObject least = objects.get(MinimalObject.key(type));
                    assertThat(least).isNotNull();
                    new ObjectLifecycle(server, type, least).run();
                }));
    }
}
