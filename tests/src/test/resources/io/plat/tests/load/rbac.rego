# RBAC by role objects that are laid out by key (RegoDocument): subjects, roles, and the values in rules are looked up, never searched.
package rbac

default review := {"status": {"allowed": false}}

review := {"status": {"allowed": true}} if allowed

allowed if "system:masters" in input.spec.groups

allowed if granted(data.policy.users[input.spec.user])

allowed if {
	some group in input.spec.groups
	granted(data.policy.groups[group])
}

granted(bound) if {
	some role in bound.namespaces[input.spec.resourceAttributes.namespace]
	covers_resource(data.policy.roles[role])
}

granted(bound) if {
	some role in bound.cluster
	covers_resource(data.policy.roles[role])
}

granted(bound) if {
	some role in bound.cluster
	covers_path(data.policy.roles[role])
}

covers_resource(role) if {
	attributes := input.spec.resourceAttributes
	some rule in role.resources
	holds(rule.verbs, object.get(attributes, "verb", ""))
	holds(rule.apiGroups, object.get(attributes, "group", ""))
	covers_type(rule.resources, attributes)
	covers_name(rule, attributes)
}

covers_path(role) if {
	attributes := input.spec.nonResourceAttributes
	some rule in role.paths
	holds(rule.verbs, object.get(attributes, "verb", ""))
	covers_url(rule, object.get(attributes, "path", ""))
}

holds(values, value) if values[value]

holds(values, _) if values["*"]

covers_type(resources, _) if resources["*"]

covers_type(resources, attributes) if {
	object.get(attributes, "subresource", "") == ""
	resources[attributes.resource]
}

covers_type(resources, attributes) if {
	attributes.subresource != ""
	resources[concat("/", [attributes.resource, attributes.subresource])]
}

covers_type(resources, attributes) if {
	attributes.subresource != ""
	resources[concat("/", ["*", attributes.subresource])]
}

covers_name(rule, _) if not rule.resourceNames

covers_name(rule, attributes) if rule.resourceNames[attributes.name]

covers_url(rule, path) if rule.urls[path]

covers_url(rule, path) if {
	some prefix in rule.prefixes
	startswith(path, prefix)
}
