package io.plat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An invalid command line is rejected with status 2, a message, and no output that could be read as a result. */
final class WrongCommandLinesTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            can-i                                                    | plat: missing VERB and RESOURCE
            can-i get                                                | plat: missing RESOURCE or /path, or --list, or --filename
            can-i                                                    | try "plat can-i --help"
            can-i get pods                                           | no server is configured: use --server, a client configuration file (--kubeconfig, $PLATCONFIG, $KUBECONFIG, ~/.plat/config), or policy files (--authorization-rbac-path, --authorization-policy-file)
            whoami                                                   | no server is configured: use --server, or a client configuration file (
            can-i get pods --authorisation-rbac-path conf            | did you mean: --authorization-rbac-path, --authorization-
            why get secrets --as a --group g                         | did you mean: --as-group?
            why get secrets --suggset=x                              | did you mean: --suggest, --subresource?
            can-i get pods extra                                     | plat: unexpected argument "extra"
            can-i get pods --nonsense                                | plat: unknown flag "--nonsense"
            can-i get pods --wait-for maybe                          | plat: --wait-for: expected one of allow, deny, found "maybe"
            can-i get pods --as                                      | plat: --as: expected USER
            matrix --limit x                                         | plat: --limit: expected a whole number, found "x"
            diff old                                                 | plat: missing NEW
            pki init                                                 | plat: missing --dir DIR
            completion ksh                                           | plat: SHELL: expected one of bash, zsh, fish, found "ksh"
            pki                                                      | plat: missing COMMAND: init, issue, renew, show
            can-i get pods -o xml                                    | xml
            can-i get pods -A -n team-a                              | --all-namespaces
            can-i get pods --as-group g                              | --as-group
            can-i get pods --exact-groups                            | --exact-groups
            can-i get pods// -n x                                    | pods//
            can-i get /version --subresource log                     | --subresource
            can-i get pods --authorization-rbac-path conf            | --as
            nonsense                                                 | plat: no such command: "nonsense"
            -h nonsense                                              | plat: no such command: "nonsense"
            cani get pods                                            | did you mean: can-i?
            -o json                                                  | plat: missing COMMAND: can-i, why, who-can
            can-i get pods --as a --authorization-rbac-default-roles=k8s | plat: --authorization-rbac-default-roles: expected one of kubernetes, none, found "k8s"
            can-i get pods --as a --authorization-rbac-path conf --server https://localhost:1 | plat: --server: cannot be combined with policy files
            can-i --list get pods                                    | plat: --list: cannot be combined with VERB "get"
            can-i get pods --client-key k                            | plat: --client-certificate, --client-key: each requires the other
            nonsense --help                                          | plat: no such command: "nonsense"
            help nonsense                                            | plat: no such command: "nonsense"
            pki nonsense --help                                      | plat: no such command: "nonsense"
            why get pods --for group:a --as x                        | plat: --for, --extend: require --suggest
            why get pods --suggest --for group: --as x               | plat: --for: expected a user or group:NAME
            who-can get pods --every-namespace -n a                  | --all-namespaces
            matrix pods --subject Group:ops                          | plat: --subject: expected a user or group:NAME, or system:serviceaccount:NAMESPACE:NAME, found "Group:ops"
            matrix pods --subject serviceaccount:ci:bot              | plat: --subject: expected a user or group:NAME, or system:serviceaccount:NAMESPACE:NAME, found "serviceaccount:ci:bot"
            why get pods --suggest --for sa:ci:bot --as x            | plat: --for: expected a user or group:NAME, or system:serviceaccount:NAMESPACE:NAME
            can-i list pods --field-selector spec.nodeName           | plat: --field-selector: expected FIELD=VALUE or FIELD!=VALUE, separated by commas, found "spec.nodeName"
            can-i list pods --field-selector a=b --as x --authorization-rbac-path conf --namespace= | plat: --namespace: expected a name, found ""
            pki issue z --dir pki --client --cn=                     | plat: --cn, --org: the common name is empty
            """)
    void wrongCommandLineIsStatusTwo(String arguments, String expected) {
        CommandRun rejected = CommandRun.plat(arguments.split(" "));

        assertThat(rejected.status()).as(rejected.toString()).isEqualTo(2);
        assertThat(rejected.out()).isEmpty();
        assertThat(rejected.err()).contains(expected).doesNotContain("\tat ");
    }
}
