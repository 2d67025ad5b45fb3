/**
 * Objects that describe the servers, as in kube-apiserver: the {@code kubernetes} service, through which clients in the cluster reach
 * them, with endpoints in both forms; and an APIService for each served group version.
 *
 * <p>Rules: nothing waits for it, least of all startup; one process per store is responsible; objects are written through the operations
 * of requests, and only if something differs. May depend on {@code io.plat.apiserver.operations}, {@code io.plat.apiserver.discovery},
 * {@code io.plat.apiserver.allocation} and {@code io.plat.apiserver.storage}.
 */
@NullMarked
package io.plat.apiserver.registration;

import org.jspecify.annotations.NullMarked;
