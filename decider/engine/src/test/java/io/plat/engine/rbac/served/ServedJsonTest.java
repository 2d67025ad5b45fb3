package io.plat.engine.rbac.served;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import io.plat.review.codec.MalformedResponseException;
import io.plat.review.source.BoundedLines;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Valid and invalid responses of servers about role objects. */
final class ServedJsonTest {
    @Property(tries = 300)
    void listsAreDecoded(@ForAll long seed) throws MalformedResponseException {
        RandomRoles random = new RandomRoles(seed);
        for (RbacKind kind : RbacKind.values()) {
            List<RbacObject> objects = List.of(random.next(kind), random.next(kind), random.next(kind));
            byte[] json = bytes(AsJson.page(kind.kind(), "12", "more", objects));
            ServedPage expected = new ServedPage(
                    "12",
                    "more",
                    objects.stream()
                            .map(object -> new ReceivedObject(object.key(), "1", object, ""))
                            .toList(),
                    List.of());
            assertThat(ServedJson.page(kind, json)).isEqualTo(expected);
        }
    }

    @Property(tries = 100)
    void watchEventsAreDecoded(@ForAll long seed) throws MalformedResponseException {
        RandomRoles random = new RandomRoles(seed);
        for (RbacKind kind : RbacKind.values()) {
            RbacObject object = random.next(kind);
            for (String type : List.of("ADDED", "MODIFIED", "DELETED")) {
                ReceivedObject served = new ReceivedObject(object.key(), "7", object, "");
                ServedEvent expected =
                        type.equals("DELETED") ? new ServedEvent.Removal(served) : new ServedEvent.Put(served);
                assertThat(ServedJson.event(kind, bytes(AsJson.event(type, "7", object))))
                        .isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(RbacKind.class)
    void bookmarksAndFailuresAreDecoded(RbacKind kind) throws MalformedResponseException {
        assertThat(ServedJson.event(kind, bytes(AsJson.bookmark(kind.kind(), "9"))))
                .isEqualTo(new ServedEvent.Bookmark("9"));
        ServedEvent.Failure gone = new ServedEvent.Failure(410, "Expired", "too old");
        assertThat(ServedJson.event(kind, bytes(AsJson.error(410, "Expired", "too old"))))
                .isEqualTo(gone);
        assertThat(gone.isGone()).isTrue();
        assertThat(new ServedEvent.Failure(0, "Gone", "").isGone()).isTrue();
        assertThat(new ServedEvent.Failure(500, "InternalError", "").isGone()).isFalse();
    }

    @Test
    void aStatusIsRead() throws MalformedResponseException {
        byte[] json = bytes("{\"kind\":\"Status\",\"code\":403,\"reason\":\"Forbidden\",\"message\":\"no\"}");
        assertThat(ServedJson.status(json)).isEqualTo(new ServedEvent.Failure(403, "Forbidden", "no"));
    }

    /** Changed, truncated or swapped bytes are read as a page or refused, without any other exception. */
    @Property(tries = 500)
    void corruptedBytesAreRefusedOrRead(@ForAll long seed) {
        Random random = new Random(seed);
        RbacKind kind = List.of(RbacKind.values()).get(random.nextInt(4));
        List<RbacObject> objects = List.of(new RandomRoles(seed).next(kind));
        byte[] good = bytes(AsJson.page(kind.kind(), "12", "", objects));
        byte[] spoilt = Arrays.copyOf(good, random.nextInt(3) == 0 ? random.nextInt(good.length) : good.length);
        for (int i = 0; i < random.nextInt(4) && spoilt.length > 0; i++) {
            spoilt[random.nextInt(spoilt.length)] = (byte) random.nextInt();
        }
        try {
            ServedPage page = ServedJson.page(kind, spoilt);
            assertThat(page.items().size() + page.nameless().size()).isLessThanOrEqualTo(spoilt.length);
        } catch (MalformedResponseException refused) {
            assertThat(refused.getMessage()).isNotEmpty().doesNotContain("\n");
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        [] | expected a JSON object
        `` | expected a JSON object
        {"kind":"RoleList"} | expected a RoleList of rbac.authorization.k8s.io/v1, found "RoleList" of ""
        {"kind":"PodList","apiVersion":"v1","items":[]} | found "PodList" of "v1"
        {"kind":"Status","apiVersion":"v1","code":200} | found "Status" of "v1"
        {"kind":"RoleList","apiVersion":"rbac.authorization.k8s.io/v1","items":{}} | items: expected a list
        {"kind":"RoleList","apiVersion":"rbac.authorization.k8s.io/v1","metadata":[]} | metadata: expected a mapping
        {"kind":"RoleList","apiVersion":"rbac.authorization.k8s.io/v1","metadata":{"resourceVersion":5}} | resourceVersion: expected a string
        {"kind":"RoleList","apiVersion":"rbac.authorization.k8s.io/v1","items":[{"kind":"Pod","metadata":{"name":"x"}}]} | expected a Role
        {"kind":"RoleList","apiVersion":"rbac.authorization.k8s.io/v1"}{} | something follows
        {"kind":"RoleList" | not well-formed JSON
        {"kind":"RoleList","apiVersion":"rbac.authorization.k8s.io/v1","items":[{"metadata":{"name":"x","name":"y"}}]} | duplicate key "name"
        """)
    void malformedListsAreRefused(String body, String message) {
        byte[] bytes = bytes(body == null ? "" : body);
        assertThatThrownBy(() -> ServedJson.page(RbacKind.ROLE, bytes))
                .isInstanceOf(MalformedResponseException.class)
                .hasMessageContaining(message);
    }

    /** Each row is an item of a list; the other items are applied. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        ROLE | {"metadata":{"namespace":"a","name":"r"},"rules":[{"verbs":[]}]} | rules[0].verbs
        ROLE | {"metadata":{"namespace":"a","name":"r"},"rules":[{"verbs":["get"],"nonResourceURLs":["/x"]}]} | namespaced rules
        ROLE | {"metadata":{"namespace":"a","name":"r"},"rules":[{"verbs":"get"}]} | rules[0].verbs: expected a list
        ROLE | {"metadata":{"namespace":"a","name":"r"},"rules":[{"verbs":["get",null]}]} | rules[0].verbs[1]: expected a string
        ROLE | {"metadata":{"namespace":"a","name":"r"},"rules":[7]} | rules[0]: expected a mapping
        ROLE | {"metadata":{"namespace":"a","name":"r"},"rules":[{"verbs":["get"],"apiGroups":[""],"resources":["x"],"unless":"y"}]} | unknown field "unless"
        ROLE | {"metadata":{"namespace":"a","name":"r"},"aggregationRule":{}} | only a ClusterRole can aggregate
        CLUSTER_ROLE | {"metadata":{"name":"r"},"aggregationRule":{}} | aggregationRule.clusterRoleSelectors
        CLUSTER_ROLE | {"metadata":{"name":"r"},"aggregationRule":{"clusterRoleSelectors":[{"matchExpressions":[{"key":"k","operator":"Near"}]}]}} | Near
        ROLE_BINDING | {"metadata":{"namespace":"a","name":"r"},"subjects":[]} | roleRef: required
        ROLE_BINDING | {"metadata":{"namespace":"a","name":"r"},"roleRef":{"kind":"Role","name":"r","namespace":"b"}} | unknown field "namespace"
        ROLE_BINDING | {"metadata":{"namespace":"a","name":"r"},"roleRef":{"kind":"Role","name":"r"},"subjects":[{"kind":"Robot","name":"x"}]} | subjects[0].kind
        CLUSTER_ROLE_BINDING | {"metadata":{"name":"r"},"roleRef":{"kind":"Role","name":"r"}} | roleRef.kind
        """)
    void invalidObjectsAreReportedSeparately(RbacKind kind, String item, String problem)
            throws MalformedResponseException {
        RbacObject other = new RandomRoles(1).next(kind);
        String page =
                AsJson.page(kind.kind(), "1", "", List.of(other)).replace("\"items\":[", "\"items\":[" + item + ",");
        ServedPage read = ServedJson.page(kind, bytes(page));
        assertThat(read.items()).hasSize(2);
        ReceivedObject unusable = read.items().getFirst();
        assertThat(unusable.object()).isNull();
        assertThat(unusable.key()).isEqualTo(new ObjectKey(kind, kind.namespaced() ? "a" : "", "r"));
        assertThat(unusable.problem()).contains(problem);
        assertThat(read.items().getLast().object()).isEqualTo(other);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {} | it has no name
        null | expected a mapping, found null
        7 | expected a mapping, found an integer
        {"metadata":{"name":"r"}} | it has no name
        {"metadata":{"name":7,"namespace":"a"}} | metadata.name: expected a string
        {"metadata":{"name":"r","namespace":["a"]}} | metadata.namespace: expected a string
        """)
    void itemsWithoutIdentityAreCounted(String item, String problem) throws MalformedResponseException {
        RbacObject other = new RandomRoles(1).next(RbacKind.ROLE);
        String page = AsJson.page("Role", "1", "", List.of(other)).replace("\"items\":[", "\"items\":[" + item + ",");
        ServedPage read = ServedJson.page(RbacKind.ROLE, bytes(page));
        assertThat(read.nameless()).hasSize(1).first().asString().contains(problem);
        assertThat(read.items()).map(ReceivedObject::object).containsExactly(other);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {} | with a type and an object
        {"type":"ADDED"} | with a type and an object
        {"object":{},"type":"ADDED"} | has no resource version
        {"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"1"}}} | expected a Role
        {"type":"ADDED","object":{"metadata":{"name":"a","namespace":"b"}}} | has no resource version
        {"type":"ADDED","object":{"metadata":{"name":"a","resourceVersion":"1"}}} | does not identify its object
        {"type":"DELETED","object":{"metadata":{"name":"","namespace":"b","resourceVersion":"1"}}} | does not identify its object
        {"type":"RENAMED","object":{"metadata":{"name":"a","namespace":"b","resourceVersion":"1"}}} | unknown type "RENAMED"
        {"type":"BOOKMARK","object":{"metadata":{}}} | has no resource version
        {"type":7} | type: expected a string
        `` | expected a JSON object
        """)
    void malformedEventsAreRefused(String event, String message) {
        assertThatThrownBy(() -> ServedJson.event(RbacKind.ROLE, bytes(event == null ? "" : event)))
                .isInstanceOf(MalformedResponseException.class)
                .hasMessageContaining(message);
    }

    @Test
    void deletionsOfInvalidObjectsCount() throws MalformedResponseException {
        RbacBinding invalid = RbacBinding.clusterRoleBinding(
                "b", new RoleRef("", "Role", "", "r"), List.of(RbacSubject.user("jane")));
        assertThat(ServedJson.event(RbacKind.CLUSTER_ROLE_BINDING, bytes(AsJson.event("DELETED", "4", invalid))))
                .isInstanceOfSatisfying(
                        ServedEvent.Removal.class,
                        removal -> assertThat(removal.object().key()).isEqualTo(invalid.key()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        application/json                    | true
        application/json;charset=utf-8      | true
        Application/JSON ; stream=watch     | true
        application/vnd.kubernetes.protobuf | false
        text/html                           | false
        application/yaml                    | false
        ''                                  | false
        """)
    void onlyJsonIsRead(String contentType, boolean expected) {
        assertThat(ServedJson.isJson(contentType)).isEqualTo(expected);
    }

    @Test
    void linesMayArriveInChunksOfAnySize() throws IOException, MalformedResponseException {
        RandomRoles random = new RandomRoles(5);
        List<ServedEvent> expected = new ArrayList<>();
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (int i = 1; i <= 50; i++) {
            RbacObject object = random.next(RbacKind.CLUSTER_ROLE);
            expected.add(new ServedEvent.Put(new ReceivedObject(object.key(), "" + i, object, "")));
            lines.writeBytes(bytes(AsJson.event("ADDED", "" + i, object) + "\n"));
        }
        for (int size : List.of(1, 7, 100, 5000, 1 << 20)) {
            assertThat(readAll(lines.toByteArray(), size)).isEqualTo(expected);
        }
    }

    private static List<ServedEvent> readAll(byte[] stream, int size) throws IOException, MalformedResponseException {
        InputStream pieces = new ByteArrayInputStream(stream) {
            @Override
            public int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(size, length));
            }
        };
        BoundedLines lines = new BoundedLines(pieces, 1 << 20);
        List<ServedEvent> events = new ArrayList<>();
        for (byte[] line = lines.next(); line != null; line = lines.next()) {
            events.add(ServedJson.event(RbacKind.CLUSTER_ROLE, line));
        }
        assertThat(lines.isComplete()).isTrue();
        return events;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
