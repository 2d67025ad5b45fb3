package io.plat.apiserver.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.operations.Api;
import io.plat.apiserver.operations.ParsedObject;
import io.plat.apiserver.options.WriteOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Defaults and limits of limit ranges, with the texts of a kube-apiserver 1.36.3. */
class LimitRangesTest {
    private static final String NAMESPACE = "/api/v1/namespaces/default/";

    /** Creates an object; returns its answer. */
    private static Api.Answer create(Api api, String resource, String body) {
        return api.answer(() -> api.operations.create(
                api.target(NAMESPACE + resource),
                ParsedObject.of(Api.tree(body.replace('\'', '"'))),
                WriteOptions.DEFAULT));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            {'type':'Container','default':{'cpu':'1'},'defaultRequest':{'cpu':'500m','memory':'1Gi'}} | {} | cpu, memory request for container c; cpu limit for container c | {'requests':{'cpu':'500m','memory':'1Gi'},'limits':{'cpu':'1'}}
            {'type':'Container','default':{'cpu':'1'}}                 | {'requests':{'cpu':'250m'}}   | cpu limit for container c | {'requests':{'cpu':'250m'},'limits':{'cpu':'1'}}
            {'type':'Container','max':{'cpu':'1'}}                     | {'limits':{'cpu':'500m'}}     | -  | {'limits':{'cpu':'500m'},'requests':{'cpu':'500m'}}
            {'type':'Pod','max':{'cpu':'1'}}                           | {'limits':{'cpu':'500m'}}     | -  | {'limits':{'cpu':'500m'},'requests':{'cpu':'500m'}}
            """)
    void setsDefaults(String limit, String resources, String changes, String expected) {
        try (Api api = new Api()) {
            create(api, "limitranges", "{'metadata':{'name':'r'},'spec':{'limits':[" + limit + "]}}");
            Api.Answer created = create(
                    api,
                    "pods",
                    "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i','resources':" + resources
                            + "}]}}");
            assertThat(created.code()).as(created.message()).isEqualTo(201);
            assertThat(created.metadata()
                            .path("annotations")
                            .path("kubernetes.io/limit-ranger")
                            .asText("-"))
                    .isEqualTo(changes.equals("-") ? "-" : "LimitRanger plugin set: " + changes);
            assertThat(created.body().at("/spec/containers/0/resources"))
                    .isEqualTo(Api.tree(expected.replace('\'', '"')));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            {'type':'Container','min':{'cpu':'1'},'max':{'cpu':'2'}}  | 'requests':{'cpu':'500m'},'limits':{'cpu':'1'} | minimum cpu usage per Container is 1, but request is 500m
            {'type':'Container','max':{'cpu':'1'},'default':{'cpu':'1'}} | 'limits':{'cpu':'3'}                     | maximum cpu usage per Container is 1, but limit is 3
            {'type':'Container','maxLimitRequestRatio':{'cpu':'2'}}   | 'requests':{'cpu':'1'},'limits':{'cpu':'3'}    | cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000
            {'type':'Container','maxLimitRequestRatio':{'cpu':'2'}}   | 'requests':{'memory':'1'}                      | cpu max limit to request ratio per Container is 2, but no request is specified or request is 0
            {'type':'Pod','max':{'memory':'1Gi'}}                     | 'limits':{'memory':'2Gi'}                      | maximum memory usage per Pod is 1Gi, but limit is 2Gi
            {'type':'Pod','max':{'memory':'1Gi'}}                     | 'requests':{'memory':'2Gi'}                    | maximum memory usage per Pod is 1Gi.  No limit is specified
            {'type':'Pod','min':{'cpu':'1','memory':'1Gi'}}           | 'requests':{'cpu':'500m'}                      | [minimum cpu usage per Pod is 1, but request is 500m, minimum memory usage per Pod is 1Gi.  No request is specified]
            """)
    void limitsPods(String limit, String resources, String message) {
        try (Api api = new Api()) {
            create(api, "limitranges", "{'metadata':{'name':'r'},'spec':{'limits':[" + limit + "]}}");
            Api.Answer created = create(
                    api,
                    "pods",
                    "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i','resources':{" + resources
                            + "}}]}}");
            assertThat(created.message()).isEqualTo("pods \"p\" is forbidden: " + message);
        }
    }

    @ParameterizedTest
    @CsvSource({"1Gi, ''", "2Gi, 'maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi'"})
    void limitsClaims(String storage, String message) {
        try (Api api = new Api()) {
            create(
                    api,
                    "limitranges",
                    "{'metadata':{'name':'r'},'spec':{'limits':[{'type':'PersistentVolumeClaim','max':{'storage':'1Gi'}}]}}");
            Api.Answer created = create(
                    api,
                    "persistentvolumeclaims",
                    "{'metadata':{'name':'p'},'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'"
                            + storage + "'}}}}");
            assertThat(created.message())
                    .isEqualTo(message.isEmpty() ? "" : "persistentvolumeclaims \"p\" is forbidden: " + message);
        }
    }
}
