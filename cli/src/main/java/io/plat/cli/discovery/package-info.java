/**
 * Discovery of a server, as far as requests need it: custom resource types, namespaces, existence of service accounts. Only used if a result
 * depends on it; missing discovery is not a failure, as a decider has none.
 */
@NullMarked
package io.plat.cli.discovery;

import org.jspecify.annotations.NullMarked;
