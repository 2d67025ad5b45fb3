/**
 * What a server says about itself, as far as questions need it: resource types that are not built in, namespaces, whether a service
 * account exists. Asked only where an answer depends on it; a server that does not say is no failure, as a decider has none of these.
 */
@NullMarked
package io.plat.cli.discovery;

import org.jspecify.annotations.NullMarked;
