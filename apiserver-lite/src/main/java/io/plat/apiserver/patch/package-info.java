/**
 * Patches: JSON patch (RFC 6902), JSON merge patch (RFC 7386) and Kubernetes' strategic merge patch, on JSON trees, with bounds on the
 * growth of documents.
 */
@NullMarked
package io.plat.apiserver.patch;

import org.jspecify.annotations.NullMarked;
