package io.plat.tests.apiserver.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.tests.process.LoneServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each type of the catalog, from the creation of an object to its end, against one server. */
class EveryTypeTest {
    private static LoneServer server;

    @BeforeAll
    static void start() throws IOException {
        server = LoneServer.startWithRoles();
        String namespace = "{\"metadata\":{\"name\":\"" + ObjectsLife.NAMESPACE + "\"}}";
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
    void everyTypeHasARowAndEveryRowAType() throws IOException {
        assertThat(LeastObject.all().keySet())
                .containsExactlyInAnyOrderElementsOf(
                        types().stream().map(LeastObject::key).toList());
    }

    @TestFactory
    Stream<DynamicTest> anObjectsLife() throws IOException {
        Map<String, LeastObject> objects = LeastObject.all();
        return types().stream()
                .map(type -> DynamicTest.dynamicTest(LeastObject.key(type), () -> {
                    LeastObject least = objects.get(LeastObject.key(type));
                    assertThat(least).isNotNull();
                    new ObjectsLife(server, type, least).run();
                }));
    }
}
