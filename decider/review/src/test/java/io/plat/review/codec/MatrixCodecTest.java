package io.plat.review.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plat.review.MatrixReview;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.ReviewVersion;
import io.plat.review.explain.AccessMatrix;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.SubjectName;
import io.plat.review.explain.UnexplainedAuthorizer;
import io.plat.review.status.StatusException;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatrixCodecTest {
    private static final MatrixCodec CODEC = new MatrixCodec(1 << 16);

    private static MatrixReview decode(String body) throws StatusException {
        return CODEC.decode(body.getBytes(UTF_8), ReviewVersion.K8S_V1);
    }

    @Test
    void requestsAreRead() throws StatusException {
        MatrixReview request = decode("""
            {"kind":"AccessMatrix","apiVersion":"authorization.k8s.io/v1","more":{"x":[1]},"spec":{
             "verbs":["get","create"],"resources":[{"resource":"pods"},
              {"group":"apps","resource":"deployments","subresource":"scale","name":"web","else":1}],
             "paths":["/metrics"],"match":"team","limit":7,"namespace":"team-a","unknown":null}}\
            """);
        assertThat(request.columns())
                .containsExactly(
                        new ResourceAttributes("team-a", "", "", "", "pods", "", ""),
                        new ResourceAttributes("team-a", "", "apps", "", "deployments", "scale", "web"),
                        new NonResourceAttributes("/metrics", ""));
        assertThat(request.verbs()).containsExactly("get", "create");
        assertThat(request.match()).isEqualTo("team");
        assertThat(request.limit()).isEqualTo(7);
        assertThat(request.access(1, 1, ""))
                .isEqualTo(new ResourceAttributes("team-a", "create", "apps", "", "deployments", "scale", "web"));
        assertThat(request.access(2, 0, "")).isEqualTo(new NonResourceAttributes("/metrics", "get"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        []                                                            | the body: expected AccessMatrix, found a list
        {"spec":                                                      | the body is not valid JSON
        {}x                                                           | the body is not valid JSON
        {} {}                                                         | unexpected content after the AccessMatrix
        {"kind":"Other"}                                              | kind: expected "AccessMatrix", found "Other"
        {"apiVersion":"v1"}                                           | apiVersion: expected "authorization.k8s.io/v1", found "v1"
        {"spec":{},"spec":{}}                                         | spec: given twice
        {"spec":{"verbs":["get"]}}                                    | spec.resources and spec.paths: expected 1 to 500, found 0
        {"spec":{"resources":[{}]}}                                   | spec.verbs: expected 1 to 16, found 0
        {"spec":{"resources":[{}],"verbs":["get"],"limit":0}}         | spec.limit: expected 1 to 2000, found 0
        {"spec":{"resources":[{}],"verbs":["get"],"limit":2001}}      | spec.limit: expected 1 to 2000, found 2001
        {"spec":{"resources":[null],"verbs":["get"]}}                 | spec.resources[0]: expected an object, found null
        {"spec":{"resources":[{"resource":1}],"verbs":["get"]}}       | spec.resources[0].resource: expected a string, found a number
        {"spec":{"resources":{},"verbs":["get"]}}                     | spec.resources: expected a list, found an object
        {"spec":{"paths":[1],"verbs":["get"]}}                        | spec.paths[0]: expected a string, found a number
        {"spec":{"match":"a","match":"b"}}                            | spec.match: given twice
        """)
    void malformedBodiesAreRefusedWithTheLocation(String body, String message) {
        assertThatThrownBy(() -> decode(body))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status().code()).isEqualTo(400))
                .hasMessageStartingWith(message);
    }

    @Test
    void tooManyColumnsOrVerbsAreRefused() {
        String resources = "{},".repeat(MatrixReview.MAX_COLUMNS) + "{}";
        assertThatThrownBy(() -> decode("{\"spec\":{\"verbs\":[\"get\"],\"resources\":[" + resources + "]}}"))
                .hasMessage("spec.resources: expected 1 to 500, found more");
        String paths = "\"/a\",".repeat(MatrixReview.MAX_COLUMNS) + "\"/a\"";
        assertThatThrownBy(() -> decode("{\"spec\":{\"verbs\":[\"get\"],\"paths\":[" + paths + "]}}"))
                .hasMessage("spec.resources and spec.paths: expected 1 to 500, found 501");
        assertThatThrownBy(() -> CODEC.decode(new byte[(1 << 16) + 1], ReviewVersion.K8S_V1))
                .isInstanceOfSatisfying(
                        StatusException.class,
                        e -> assertThat(e.status().code()).isEqualTo(413));
    }

    @Test
    void aRowHasANumberForEachColumn() throws StatusException {
        MatrixReview request = decode(
                "{\"spec\":{\"verbs\":[\"get\",\"list\"],\"resources\":[{\"resource\":\"a\"},{\"resource\":\"b\"}]}}");
        BitSet allowed = new BitSet();
        allowed.set(1);
        allowed.set(2);
        allowed.set(3);
        AccessMatrix matrix = new AccessMatrix(
                new BoundedList<>(
                        List.of(
                                new AccessMatrix.Row(SubjectName.EVERYBODY, new BitSet()),
                                new AccessMatrix.Row(SubjectName.user("al\"ice", "devs"), allowed)),
                        3),
                List.of(new UnexplainedAuthorizer("Webhook", "far away")));
        assertThat(new String(CODEC.encode(request, matrix), UTF_8))
                .isEqualTo("{\"kind\":\"AccessMatrix\",\"apiVersion\":\"authorization.k8s.io/v1\","
                        + "\"metadata\":{},\"status\":{\"verbs\":[\"get\",\"list\"],\"rows\":["
                        + "{\"kind\":\"User\",\"name\":\"*\",\"everybody\":true,\"allowed\":[0,0]},"
                        + "{\"kind\":\"User\",\"name\":\"al\\\"ice\",\"inGroup\":\"devs\",\"allowed\":[2,3]}],\"rowsLeftOut\":3,\"unexplained\":[{\"authorizer\":\"Webhook\",\"reason\":\"far"
                        + " away\"}]}}");
    }

    @Test
    void anyNamespaceIsReadAndTheFirstNamespaceOfAColumnWritten() throws StatusException {
        MatrixReview request = decode(
                "{\"spec\":{\"anyNamespace\":true,\"verbs\":[\"get\"],\"resources\":[{\"resource\":\"pods\"}]}}");
        assertThat(request.anyNamespace()).isTrue();
        assertThat(request.access(0, 0, "team-a"))
                .isEqualTo(new ResourceAttributes("team-a", "get", "", "", "pods", "", ""));
        BitSet allowed = new BitSet();
        allowed.set(0);
        AccessMatrix matrix = new AccessMatrix(
                new BoundedList<>(
                        List.of(new AccessMatrix.Row(
                                SubjectName.user("zoe"), allowed, new TreeMap<>(Map.of(0, "team-b")))),
                        0),
                List.of());
        assertThat(new String(CODEC.encode(request, matrix), UTF_8))
                .contains("\"allowed\":[1],\"namespaces\":{\"0\":\"team-b\"}");
    }
}
