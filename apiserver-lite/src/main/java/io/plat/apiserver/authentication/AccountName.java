package io.plat.apiserver.authentication;

import io.plat.review.NameRule;
import io.plat.review.UserInfo;
import java.util.List;
import java.util.Optional;

/** Service account name (specification, "Naming rules"). */
public record AccountName(String namespace, String name) {
    private static final String NODE_NAME = "authentication.kubernetes.io/node-name";

    /** Returns the service account of a user name; empty if the name is not that of a service account. */
    public static Optional<AccountName> ofUser(String user) {
        if (!user.startsWith(UserInfo.SERVICE_ACCOUNT_USER)) {
            return Optional.empty();
        }
        String[] names = user.substring(UserInfo.SERVICE_ACCOUNT_USER.length()).split(":", -1);
        return names.length == 2
                        && NameRule.LABEL.problems(names[0]).isEmpty()
                        && NameRule.SUBDOMAIN.problems(names[1]).isEmpty()
                ? Optional.of(new AccountName(names[0], names[1]))
                : Optional.empty();
    }

    /** Returns whether a user is a service account whose token is bound to a pod on a node. */
    public static boolean isOnNode(UserInfo user, String node) {
        return ofUser(user.name()).isPresent()
                && List.of(node).equals(user.extra().get(NODE_NAME));
    }

    public String user() {
        return UserInfo.serviceAccountUser(namespace, name);
    }

    /** Returns its groups, except that of all authenticated users. */
    public List<String> groups() {
        return List.of(UserInfo.SERVICE_ACCOUNTS, UserInfo.serviceAccountsOf(namespace));
    }
}
