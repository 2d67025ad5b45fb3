package io.plat.apiserver.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.DeleteOptions.Propagation;
import io.plat.apiserver.options.ListOptions;
import io.plat.apiserver.options.WriteCheck;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.options.WriteOptions.FieldValidation;
import io.plat.review.request.QueryParameters;
import io.plat.review.status.StatusException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestOptionsTest {
    private static QueryParameters query(String raw) throws StatusException {
        return QueryParameters.parse(raw);
    }

    private static WriteOptions options(boolean dryRun, FieldValidation validation, String manager) {
        return new WriteOptions(dryRun, validation, WriteCheck.NONE, manager, false, null);
    }

    @Test
    void emptyQueryHasDefaults() throws StatusException {
        assertThat(RequestOptions.list(QueryParameters.NONE)).isEqualTo(ListOptions.DEFAULT);
        assertThat(RequestOptions.write("CreateOptions", QueryParameters.NONE, "curl/8", false))
                .isEqualTo(options(false, FieldValidation.WARN, "curl"));
        assertThat(RequestOptions.delete(QueryParameters.NONE, body("{}"))).isEqualTo(DeleteOptions.DEFAULT);
    }

    @Test
    void everyListParameterIsParsed() throws StatusException {
        assertThat(RequestOptions.list(query("labelSelector=a%3Db&fieldSelector=metadata.name%3Dx&resourceVersion=7"
                        + "&resourceVersionMatch=Exact&limit=500&continue=abc&unknown=1")))
                .isEqualTo(new ListOptions("a=b", "metadata.name=x", "7", "Exact", 500, "abc", null, false));
    }

    @ParameterizedTest
    @CsvSource({"limit=0, 0", "limit=-1, 0", "limit=1, 1", "limit=99999999999, 2147483647"})
    void limitsAreNumbers(String raw, int limit) throws StatusException {
        assertThat(RequestOptions.list(query(raw)).limit()).isEqualTo(limit);
    }

    @ParameterizedTest
    @CsvSource({
        "'', false, WARN",
        "fieldValidation=Strict, false, STRICT",
        "fieldValidation=Ignore&dryRun=All, true, IGNORE",
        "fieldValidation=Warn&dryRun=All&dryRun=All, true, WARN",
        "pretty=true, false, WARN",
    })
    void writeOptionsAreParsedFromTheQuery(String raw, boolean dryRun, FieldValidation validation)
            throws StatusException {
        assertThat(RequestOptions.write("CreateOptions", query(raw), "", false))
                .isEqualTo(options(dryRun, validation, "unknown"));
    }

    @ParameterizedTest
    @CsvSource({
        "fieldManager=me, curl/8.1, me",
        "'', curl/8.1, curl",
        "'', 'kubectl/v1.32.0 (linux/amd64)', kubectl",
        "'', '', unknown",
        "'', /x, unknown",
        "'', \u00e4b/1, b",
    })
    void fieldManagerDefaultsToTheUserAgent(String raw, String agent, String manager) throws StatusException {
        assertThat(RequestOptions.write("PatchOptions", query(raw), agent, false)
                        .manager())
                .isEqualTo(manager);
    }

    @ParameterizedTest
    @CsvSource({"fieldManager=me, false", "fieldManager=me&force=true, true", "fieldManager=me&force=false, false"})
    void applyMayBeForced(String raw, boolean force) throws StatusException {
        assertThat(RequestOptions.write("PatchOptions", query(raw), "x", true).force())
                .isEqualTo(force);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        true  | ``                    | PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch
        false | force=true            | PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch
        true  | fieldManager=a%00b    | PatchOptions.meta.k8s.io "" is invalid: fieldManager: Invalid value: "a\\x00b": invalid character U+0000 (at position 1)
        """)
    void patchOptionsAreValidated(boolean applies, String raw, String message) {
        assertThatThrownBy(() -> {
                    if (applies) {
                        RequestOptions.write("PatchOptions", query(raw), "x", true);
                    } else {
                        RequestOptions.write("PatchOptions", query(raw), "x", false);
                    }
                })
                .isInstanceOfSatisfying(StatusException.class, e -> {
                    assertThat(e.status().message()).isEqualTo(message);
                    assertThat(e.status().code()).isEqualTo(422);
                });
    }

    private static ObjectNode body(String json) {
        try {
            return (ObjectNode) new JsonMapper().readTree(json);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The body overrides the query, except for dry runs: a dry run must never delete. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {}                                  | propagationPolicy=Orphan                 | false | ORPHAN
        {}                                  | propagationPolicy=Foreground&dryRun=All  | true  | FOREGROUND
        {}                                  | orphanDependents=true                    | false | ORPHAN
        {}                                  | orphanDependents=false                   | false | NOT_ORPHANED
        {}                                  | gracePeriodSeconds=0                     | false | UNSPECIFIED
        {"orphanDependents":false}          | ``                                       | false | NOT_ORPHANED
        {"orphanDependents":null}           | ``                                       | false | UNSPECIFIED
        {"propagationPolicy":"Background"}  | propagationPolicy=Orphan&dryRun=All      | true  | BACKGROUND
        {"dryRun":["All"]}                  | propagationPolicy=                       | true  | UNSPECIFIED
        """)
    void deleteOptionsCombineBodyAndQuery(String body, String raw, boolean dryRun, Propagation propagation)
            throws StatusException {
        assertThat(RequestOptions.delete(query(raw), body(body)))
                .isEqualTo(new DeleteOptions(dryRun, null, null, propagation));
    }

    @Test
    void preconditionsAreReadFromTheBodyOrTheQuery() throws StatusException {
        assertThat(RequestOptions.delete(
                        query("uid=x"), body("{\"preconditions\":{\"uid\":\"u\",\"resourceVersion\":\"5\"}}")))
                .isEqualTo(new DeleteOptions(false, "u", "5", Propagation.UNSPECIFIED));
        assertThat(RequestOptions.delete(query("uid=u&resourceVersion=5"), body("{}")))
                .isEqualTo(new DeleteOptions(false, "u", "5", Propagation.UNSPECIFIED));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"dryRun":"All"}                         | string into Go struct field DeleteOptions.dryRun of type []string
        {"dryRun":[1]}                           | number into Go struct field DeleteOptions.dryRun of type string
        {"propagationPolicy":1}                  | number into Go struct field DeleteOptions.propagationPolicy of type v1.DeletionPropagation
        {"preconditions":{"uid":1}}              | number into Go struct field Preconditions.preconditions.uid of type types.UID
        {"preconditions":{"resourceVersion":1}}  | number into Go struct field Preconditions.preconditions.resourceVersion of type string
        """)
    void deleteOptionsOfTheWrongTypeAreRefused(String body, String message) {
        assertThatThrownBy(() -> RequestOptions.delete(query("dryRun=All"), body(body)))
                .hasMessage("json: cannot unmarshal " + message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        limit=                    | 400 | strconv.ParseInt: parsing "": invalid syntax
        limit=many                | 400 | strconv.ParseInt: parsing "many": invalid syntax
        limit=%D9%A1              | 400 | strconv.ParseInt: parsing "١": invalid syntax
        limit=1.5                 | 400 | strconv.ParseInt: parsing "1.5": invalid syntax
        limit=99999999999999999999 | 400 | strconv.ParseInt: parsing "99999999999999999999": value out of range
        timeoutSeconds=abc        | 400 | strconv.ParseInt: parsing "abc": invalid syntax
        timeout=invalid           | 400 | invalid timeout specified in the request URL - time: invalid duration "invalid"
        timeout=10                | 400 | invalid timeout specified in the request URL - time: missing unit in duration "10"
        gracePeriodSeconds=soon   | 400 | strconv.ParseInt: parsing "soon": invalid syntax
        dryRun=                   | 422 | CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: [""]: supported values: "All"
        dryRun=All&dryRun=all     | 422 | CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["All","all"]: supported values: "All"
        dryRun=some&fieldManager=a%0Ab | 422 | CreateOptions.meta.k8s.io "" is invalid: [fieldManager: Invalid value: "a\\nb": invalid character U+000A (at position 1), dryRun: Unsupported value: ["some"]: supported values: "All"]
        dryRun=some               | 422 | CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["some"]: supported values: "All"
        fieldValidation=strict    | 422 | CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "strict": supported values: "", "Ignore", "Strict", "Warn"
        propagationPolicy=Forever | 422 | DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Forever": supported values: "Foreground", "Background", "Orphan", "nil"
        propagationPolicy=Orphan&orphanDependents=true | 422 | DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set
        """)
    void malformedParametersAreBadRequests(String raw, int code, String message) {
        assertThatThrownBy(() -> {
                    RequestOptions.checkTimeout(query(raw));
                    RequestOptions.list(query(raw));
                    RequestOptions.write("CreateOptions", query(raw), "x", false);
                    RequestOptions.delete(query(raw), body("{}"));
                })
                .isInstanceOfSatisfying(StatusException.class, e -> {
                    assertThat(e.status().message()).isEqualTo(message);
                    assertThat(e.status().code()).isEqualTo(code);
                });
    }
}
