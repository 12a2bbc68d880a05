package deploy_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"

	"github.com/datachain-go/datachain/deploy/chart"
)

// manifests are the objects that the chart makes.
type manifests struct {
	deployment appsv1.Deployment
	service    corev1.Service
	account    corev1.ServiceAccount
	config     corev1.ConfigMap
	budget     policyv1.PodDisruptionBudget
	scaler     *autoscalingv2.HorizontalPodAutoscaler
	policy     *networkingv1.NetworkPolicy
}

// render renders the chart with some values changed.
func render(t *testing.T, values map[string]any) string {
	text, err := chart.Render("helm/datachain", "", values)
	require.NoError(t, err)
	return text
}

// decode decodes objects into the types of Kubernetes. An unknown field is an error.
func decode(t *testing.T, text string) *manifests {
	m := &manifests{}
	for document := range strings.SplitSeq(text, "---\n") {
		if document == "" {
			continue
		}
		var kind struct{ Kind string }
		require.NoError(t, yaml.Unmarshal([]byte(document), &kind))
		var object any
		switch kind.Kind {
		case "Deployment":
			object = &m.deployment
		case "Service":
			object = &m.service
		case "ServiceAccount":
			object = &m.account
		case "ConfigMap":
			object = &m.config
		case "PodDisruptionBudget":
			object = &m.budget
		case "HorizontalPodAutoscaler":
			m.scaler = &autoscalingv2.HorizontalPodAutoscaler{}
			object = m.scaler
		case "NetworkPolicy":
			m.policy = &networkingv1.NetworkPolicy{}
			object = m.policy
		default:
			t.Fatalf("unexpected kind %q", kind.Kind)
		}
		require.NoError(t, yaml.UnmarshalStrict([]byte(document), object), "%s", document)
	}
	return m
}

// TestDefaults checks what the chart promises without any values: a drain that fits, no privileges, and an
// admin port that only probes and Prometheus reach.
func TestDefaults(t *testing.T) {
	m := decode(t, render(t, nil))
	pod := m.deployment.Spec.Template.Spec
	require.Len(t, pod.Containers, 1)
	server := pod.Containers[0]

	delay, timeout := duration(t, m.config.Data["DATACHAIN_DRAIN_DELAY"]), duration(t, m.config.Data["DATACHAIN_DRAIN_TIMEOUT"])
	assert.Greater(t, time.Duration(*pod.TerminationGracePeriodSeconds)*time.Second, delay+timeout)
	probe := server.ReadinessProbe
	assert.Less(t, time.Duration(probe.PeriodSeconds*probe.FailureThreshold)*time.Second, delay, "the pod is not ready before it stops answering")
	assert.Equal(t, "/readyz", probe.HTTPGet.Path)
	assert.Equal(t, "/healthz", server.LivenessProbe.HTTPGet.Path)

	assert.True(t, *pod.SecurityContext.RunAsNonRoot)
	assert.Equal(t, corev1.SeccompProfileTypeRuntimeDefault, pod.SecurityContext.SeccompProfile.Type)
	assert.False(t, *pod.AutomountServiceAccountToken)
	assert.True(t, *server.SecurityContext.ReadOnlyRootFilesystem)
	assert.False(t, *server.SecurityContext.AllowPrivilegeEscalation)
	assert.Equal(t, []corev1.Capability{"ALL"}, server.SecurityContext.Capabilities.Drop)
	assert.Zero(t, m.deployment.Spec.Strategy.RollingUpdate.MaxUnavailable.IntValue())

	limit := server.Resources.Limits[corev1.ResourceMemory]
	assert.Positive(t, limit.Value())
	assert.Nil(t, m.deployment.Spec.Replicas, "the autoscaler decides")
	assert.Equal(t, "12", m.config.Data["DATACHAIN_REPLICAS"])
	assert.Equal(t, m.deployment.Name, m.scaler.Spec.ScaleTargetRef.Name)
	assert.Equal(t, m.deployment.Name, m.account.Name)
	for _, selector := range []map[string]string{m.service.Spec.Selector, m.budget.Spec.Selector.MatchLabels, m.policy.Spec.PodSelector.MatchLabels} {
		assert.Equal(t, m.deployment.Spec.Selector.MatchLabels, selector)
	}
	assert.NotContains(t, m.config.Data, "DATACHAIN_TRUSTED_PROXIES", "no network is trusted that nobody named")
	for _, rule := range m.policy.Spec.Ingress {
		assert.NotEmpty(t, rule.From, "no port is open to everything")
	}
	for _, rule := range m.policy.Spec.Egress {
		for _, port := range rule.Ports {
			assert.False(t, port.Port.IntValue() == 80 && len(rule.To) == 0, "plain HTTP only to hosts that give credentials")
		}
	}
	require.Len(t, m.service.Spec.Ports, 1, "the admin port is not in the Service")
	assert.Equal(t, "http", m.service.Spec.Ports[0].TargetPort.StrVal)
}

// TestShared checks that the number of servers is set only with Redis: the server refuses
// it otherwise.
func TestShared(t *testing.T) {
	none := map[string]any{"DATACHAIN_SHARED": nil}
	assert.NotContains(t, decode(t, render(t, map[string]any{"config": none})).config.Data, "DATACHAIN_REPLICAS")
	assert.Contains(t, decode(t, render(t, map[string]any{"config": none, "sharedInSecret": true})).config.Data, "DATACHAIN_REPLICAS")
}

// TestValues checks the values that change which objects there are.
func TestValues(t *testing.T) {
	m := decode(t, render(t, map[string]any{
		"replicaCount":   5,
		"autoscaling":    map[string]any{"enabled": false},
		"networkPolicy":  map[string]any{"enabled": false},
		"existingSecret": "keys",
		"image":          map[string]any{"digest": "sha256:0123", "pullSecrets": []any{map[string]any{"name": "pull"}}},
		"service":        map[string]any{"annotations": map[string]any{"a": "b"}},
		"serviceAccount": map[string]any{"annotations": map[string]any{"role": "reader"}},
		"nodeSelector":   map[string]any{"disk": "ssd"},
		"tolerations":    []any{map[string]any{"key": "k", "operator": "Exists"}},
		"podLabels":      map[string]any{"team": "open"},
		"podAnnotations": map[string]any{"note": "x"},
		"affinity":       map[string]any{"nodeAffinity": map[string]any{}},
	}))
	assert.Equal(t, int32(5), *m.deployment.Spec.Replicas)
	assert.Nil(t, m.scaler)
	assert.Nil(t, m.policy)
	template := m.deployment.Spec.Template
	assert.Equal(t, "registry.example/datachain@sha256:0123", template.Spec.Containers[0].Image)
	assert.Equal(t, "keys", template.Spec.Containers[0].EnvFrom[1].SecretRef.Name)
	assert.Equal(t, "5", m.config.Data["DATACHAIN_REPLICAS"])
	assert.Equal(t, "reader", m.account.Annotations["role"])
	assert.Equal(t, "ssd", template.Spec.NodeSelector["disk"])
	assert.Equal(t, "open", template.Labels["team"])
	assert.Equal(t, "x", template.Annotations["note"])
	assert.Len(t, template.Spec.Tolerations, 1)
}

func duration(t *testing.T, text string) time.Duration {
	d, err := time.ParseDuration(text)
	require.NoError(t, err)
	return d
}

func readFile(t *testing.T, path string) []byte {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return text
}
